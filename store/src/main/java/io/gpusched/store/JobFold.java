package io.gpusched.store;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Applies events to a job, as the cluster state does, also for jobs that the cluster state has
/// dropped.
final class JobFold {
    private JobFold() {}

    /// The job that the event is about; null if it is about none.
    static @Nullable JobId about(Event event) {
        return switch (event) {
            case Event.JobSubmitted e -> e.job();
            case Event.JobUpdated e -> e.job();
            case Event.JobHeld e -> e.job();
            case Event.JobReleased e -> e.job();
            case Event.AttemptPlaced e -> e.attempt().job();
            case Event.TaskChanged e -> e.attempt().job();
            case Event.TaskIdle e -> e.attempt().job();
            case Event.AttemptRunning e -> e.attempt().job();
            case Event.AttemptStopping e -> e.attempt().job();
            case Event.StartRefused e -> e.attempt().job();
            case Event.AvoidanceEnded e -> e.job();
            case Event.JobRequeued e -> e.job();
            case Event.JobEnded e -> e.job();
            case Event.CapacityChosen e -> e.job();
            case Event.ClaimMade _, Event.ClaimDropped _, Event.SpotSeen _ -> null;
            case Event.AgentJoined _, Event.AgentLost _, Event.RefusalConfirmed _ -> null;
            case Event.NodeJoined _, Event.NodeChanged _, Event.NodeRemoved _ -> null;
            case Event.GpuChanged _, Event.ForeignChanged _ -> null;
            case Event.TenantPut _, Event.TenantRemoved _ -> null;
            case Event.PoolPut _, Event.PoolLoadChanged _, Event.MarketChanged _ -> null;
            case Event.PoolRemoved _, Event.PoolHeld _, Event.PoolRecommended _ -> null;
            case Event.PoolScaled _, Event.PoolLapsed _, Event.ModelPut _ -> null;
            case Event.ModelRemoved _, Event.ModelCached _, Event.PoolChoice _ -> null;
            case Event.ModelWanted _, Event.ModelUnwanted _ -> null;
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> null;
            case Event.BindingPut _, Event.BindingRemoved _ -> null;
            case Event.ForecastPut _, Event.ForecastRemoved _ -> null;
            case Event.ReplicaDraining e -> e.job();
            case Event.Observed _, Event.Scored _, Event.RetentionChanged _ -> null;
            case Event.Imported _, Event.EngineStarted _, Event.PolicyChanged _ -> null;
            case Event.LeaseBound _, Event.OrdersDelayed _ -> null;
        };
    }

    /// The job after an event about it that is not its submission.
    static Job after(Event event, Job job) {
        return switch (event) {
            case Event.JobUpdated e -> job.withPriority(e.priority(), e.at());
            case Event.JobHeld e -> job.with(new Phase.Held(e.at(), e.why()));
            case Event.JobReleased e -> job.released(e.at());
            case Event.AttemptPlaced e ->
                    job.started(
                            new Phase.Starting(Run.placed(e.attempt(), e.on(), e.at()), e.at()));
            case Event.TaskChanged e -> task(job, e);
            case Event.AttemptRunning e -> job.with(new Phase.Running(run(job), e.at()));
            case Event.AttemptStopping e ->
                    job.with(
                            new Phase.Stopping(
                                    run(job), e.at(), job.phase().startedAt(), e.cause()));
            case Event.JobRequeued e ->
                    job.requeued(
                            new Phase.Waiting(e.at(), e.notBefore(), true),
                            e.requeueCause(),
                            e.at());
            case Event.StartRefused e ->
                    e.avoidUntil() == null
                            ? job
                            : job.avoiding(new Avoidance(e.node(), e.avoidUntil(), e.reason()));
            case Event.AvoidanceEnded e -> job.avoidingNoLonger(e.node());
            case Event.JobEnded e ->
                    job.with(
                            new Phase.Ended(
                                    e.at(),
                                    e.outcome(),
                                    job.phase().run(),
                                    job.phase().startedAt()));
            case Event.JobSubmitted _, Event.TaskIdle _ -> job;
            case Event.CapacityChosen e -> job.with(job.spec().on(e.rule()));
            case Event.ClaimMade _, Event.ClaimDropped _, Event.SpotSeen _ -> job;
            case Event.AgentJoined _, Event.AgentLost _, Event.RefusalConfirmed _ -> job;
            case Event.NodeJoined _, Event.NodeChanged _, Event.NodeRemoved _ -> job;
            case Event.GpuChanged _, Event.ForeignChanged _ -> job;
            case Event.TenantPut _, Event.TenantRemoved _ -> job;
            case Event.PoolPut _, Event.PoolLoadChanged _, Event.MarketChanged _ -> job;
            case Event.PoolRemoved _, Event.PoolHeld _, Event.PoolRecommended _ -> job;
            case Event.PoolScaled _, Event.PoolLapsed _, Event.ModelPut _ -> job;
            case Event.ModelRemoved _, Event.ModelCached _, Event.PoolChoice _ -> job;
            case Event.ModelWanted _, Event.ModelUnwanted _ -> job;
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> job;
            case Event.BindingPut _, Event.BindingRemoved _ -> job;
            case Event.ForecastPut _, Event.ForecastRemoved _ -> job;
            case Event.ReplicaDraining _ -> job;
            case Event.Observed _, Event.Scored _, Event.RetentionChanged _ -> job;
            case Event.Imported _, Event.EngineStarted _, Event.PolicyChanged _ -> job;
            case Event.LeaseBound _, Event.OrdersDelayed _ -> job;
        };
    }

    private static Job task(Job job, Event.TaskChanged e) {
        Run run = run(job).with(e.rank(), e.state());
        return job.with(
                switch (job.phase()) {
                    case Phase.Starting p -> p.with(run);
                    case Phase.Running p -> new Phase.Running(run, p.since());
                    case Phase.Stopping p ->
                            new Phase.Stopping(run, p.since(), p.started(), p.cause());
                    case Phase.Held p -> p;
                    case Phase.Waiting p -> p;
                    case Phase.Ended p -> p;
                });
    }

    private static Run run(Job job) {
        return Objects.requireNonNull(job.phase().run(), () -> job.id() + " has no run");
    }
}
