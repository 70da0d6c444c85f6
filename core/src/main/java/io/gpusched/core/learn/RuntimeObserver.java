package io.gpusched.core.learn;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;

/// Updates the [RuntimeModel] from the events of the ledger: each run that starts and ends teaches
/// the model how long such jobs take.
///
/// A run that ends by itself or at its limit, successfully or not, shows how long it took. A run
/// that was stopped shows nothing.
final class RuntimeObserver {
    private RuntimeObserver() {}

    /// Feeds the model with an event that the ledger has recorded.
    static void observe(Event event, ClusterView cluster, RuntimeModel model) {
        switch (event) {
            case Event.AttemptRunning e -> begins(e, cluster, model);
            case Event.JobEnded e -> {
                if (endedByItself(e.outcome())) {
                    model.ended(e.job().number(), over(e, cluster), e.at());
                } else {
                    model.abandoned(e.job().number());
                }
            }
            case Event.JobRequeued e -> model.abandoned(e.job().number());
            case Event.Observed e ->
                    model.observed(
                            new Profile(e.kind(), e.gpuModel(), e.features()),
                            e.neighbours(),
                            e.ran().toNanos() / 1e9,
                            e.at());
            case Event.Imported e -> {
                e.runs().forEach(model::imported);
                e.interference().forEach(model::imported);
            }
            default -> {}
        }
    }

    private static Instant over(Event.JobEnded e, ClusterView cluster) {
        Job job = cluster.job(e.job());
        return job != null && job.phase() instanceof Phase.Ended ended ? ended.over() : e.at();
    }

    /// A run stopped at its limit held its GPUs just as long; without such runs the model would
    /// miss the long ones.
    private static boolean endedByItself(Outcome outcome) {
        return switch (outcome.result()) {
            case COMPLETED -> true;
            case FAILED -> outcome.exitCode() > 0 || outcome.reason().equals("timeout");
            case CANCELLED -> false;
        };
    }

    private static void begins(Event.AttemptRunning e, ClusterView cluster, RuntimeModel model) {
        Job job = cluster.job(e.attempt().job());
        Run run = job == null ? null : job.phase().run();
        if (job != null && run != null && !job.spec().isReplica()) {
            model.started(
                    job.id().number(),
                    JobProfiles.of(job.spec(), JobProfiles.gpu(run.on(), cluster)),
                    JobProfiles.neighbours(job, run.on(), cluster),
                    e.at());
        }
    }
}
