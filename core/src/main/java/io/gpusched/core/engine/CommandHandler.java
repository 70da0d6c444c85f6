package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.place.Claims;
import io.gpusched.core.place.FleetCapacityCheck;
import io.gpusched.core.place.RequestFeasibility;
import io.gpusched.core.place.TopologyDomains;
import io.gpusched.core.policy.gate.QuotaGate;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.IdempotencyKeys;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Answers commands of users and administrators: refuses them with problems, or turns them into
/// events.
final class CommandHandler {
    private final ClusterState state;
    private final Learner learner;
    private final RuntimeStamper runtimeStamper;
    private final EngineSettings settings;
    private final PolicyCommandHandler policyCommands;
    private final Instant now;

    CommandHandler(
            ClusterState state,
            Learner learner,
            RuntimeStamper runtimeStamper,
            EngineSettings settings,
            PolicyCommandHandler policyCommands,
            Instant now) {
        this.state = state;
        this.learner = learner;
        this.runtimeStamper = runtimeStamper;
        this.settings = settings;
        this.policyCommands = policyCommands;
        this.now = now;
    }

    Answer to(Command command) {
        return switch (command) {
            case Command.Submit c -> submit(settings.gpuMemoryPerGpu() ? perGpu(c) : c);
            case Command.Cancel c -> cancel(c);
            case Command.Hold c -> hold(c);
            case Command.Release c -> release(c);
            case Command.Reprioritise c -> reprioritise(c);
            case Command.PutTenant c -> putTenant(c);
            case Command.RemoveTenant c -> removeTenant(c);
            case Command.Cordon c -> new NodeCommandHandler(state, now).to(c);
            case Command.Uncordon c -> new NodeCommandHandler(state, now).to(c);
            case Command.Drain c -> new NodeCommandHandler(state, now).to(c);
            case Command.RemoveNode c -> new NodeCommandHandler(state, now).to(c);
            case Command.DeclareLost c -> new LostNodes(state, now).to(c, settings.faults());
            case Command.PutPool c -> pools().to(c);
            case Command.RemovePool c -> pools().to(c);
            case Command.ScalePool c -> pools().to(c);
            case Command.PutModel c -> pools().to(c);
            case Command.RemoveModel c -> pools().to(c);
            case Command.PutAgentClass c -> pools().to(c);
            case Command.RemoveAgentClass c -> pools().bindings().to(c);
            case Command.PutBinding c -> pools().to(c);
            case Command.RemoveBinding c -> pools().bindings().to(c);
            case Command.Apply c -> pools().to(c);
            case Command.SetMarket c -> setMarket(c.market());
            case Command.PutForecast c -> new CarbonCommandHandler(state, now).to(c);
            case Command.RemoveForecast c -> new CarbonCommandHandler(state, now).to(c);
            case Command.SetPolicy c -> policyCommands.to(c, now);
            case Command.Observe c -> LearningCommandHandler.observe(c, now);
            case Command.CountScores c -> LearningCommandHandler.count(c, learner, now);
            case Command.SetRetention c -> LearningCommandHandler.retain(c, learner, now);
            case Command.Import c -> LearningCommandHandler.take(c, now);
        };
    }

    private PoolCommandHandler pools() {
        return new PoolCommandHandler(state, settings, now)
                .under(policyCommands.inForce().scorers());
    }

    private static Command.Submit perGpu(Command.Submit c) {
        return new Command.Submit(
                c.spec().countingMemoryPerGpu(), c.key(), c.fingerprint(), c.held(), c.by());
    }

    private Answer submit(Command.Submit c) {
        Tenant tenant = state.tenants().find(c.spec().tenant());
        if (tenant == null) {
            return unknownTenant(c.spec().tenant());
        }
        if (!tenant.active()) {
            return Answer.rejected(
                    Problem.Code.WRONG_STATE,
                    "tenant_id",
                    "tenant " + tenant.id() + " is not active",
                    "ask an administrator to activate it");
        }
        IdempotencyKeys.Used used =
                c.key().isEmpty() ? null : state.idempotencyKeys().find(c.key(), now);
        if (used != null) {
            return used.fingerprint() == c.fingerprint()
                    ? new Answer.Accepted(used.job(), List.of(), List.of())
                    : Answer.rejected(
                            Problem.Code.KEY_REUSED,
                            "Idempotency-Key",
                            "this key was used for " + used.job() + " with another body",
                            "use a new key for a new job");
        }
        Problem never = QuotaGate.neverFits(c.spec(), state);
        if (never != null) {
            return new Answer.Rejected(List.of(never));
        }
        Problem impossible = ProximityCheck.problem(c.spec(), state, settings.topologyLevels());
        if (impossible != null) {
            return new Answer.Rejected(List.of(impossible));
        }
        var warnings = new ArrayList<String>();
        if (!RequestFeasibility.isPlain(c.spec())) {
            var requestFeasibility = new RequestFeasibility(state);
            Problem problem = requestFeasibility.problem(c.spec());
            if (problem != null) {
                return new Answer.Rejected(List.of(problem));
            }
            warnings.addAll(requestFeasibility.warnings());
        }
        var beyond =
                new FleetCapacityCheck(
                        state,
                        settings.topologyLevels(),
                        () -> new TopologyDomains(state, settings.topologyLevels()));
        String tooLarge = beyond.why(c.spec());
        if (tooLarge != null && warnings.isEmpty()) {
            warnings.add(tooLarge + "; the job waits until the fleet changes");
        }
        warnings.addAll(missingForecast(c.spec()));
        JobSpec spec = state.sharingRoles(expected(c.spec()));
        Problem late = DeadlineCheck.problem(spec, now);
        Problem refused = late == null ? noRoom(spec) : late;
        if (refused != null) {
            return new Answer.Rejected(List.of(refused));
        }
        warnings.addAll(DeadlineCheck.warnings(spec, now, state.nodePrices()));
        return accepted(c, spec, warnings);
    }

    private Answer accepted(Command.Submit c, JobSpec spec, List<String> warnings) {
        JobId id = state.nextJob();
        var event =
                new Event.JobSubmitted(now, id, spec, c.key(), c.fingerprint(), c.held(), c.by());
        return new Answer.Accepted(id, List.of(event), warnings);
    }

    private List<String> missingForecast(JobSpec spec) {
        Duration slack = spec.carbon().slack();
        return slack != null && !slack.isZero() && state.carbon().forecast(spec, now) == null
                ? List.of(
                        "no carbon forecast covers the region of the job now, so it is not held"
                                + " back; gpu-cli carbon list shows the forecasts")
                : List.of();
    }

    private @Nullable Problem noRoom(JobSpec spec) {
        return state.waitingJobs() >= settings.maxWaiting()
                ? new Problem(
                        Problem.Code.QUEUE_FULL,
                        "",
                        "queue is full (max size: " + settings.maxWaiting() + ")",
                        "try again when jobs have started, or have the limit raised")
                : PayloadCheck.problem(spec, state, settings.payloads());
    }

    private JobSpec expected(JobSpec given) {
        boolean usual = given.priority() <= settings.carbon().upToPriority();
        JobSpec spec =
                usual ? given.withCarbon(given.carbon().orAsUsual(settings.carbon())) : given;
        return settings.predictionSettings().plans() ? runtimeStamper.of(spec, state, now) : spec;
    }

    private Answer cancel(Command.Cancel c) {
        Job job = state.job(c.job());
        if (job == null) {
            return unknownJob(c.job());
        }
        var cause = new StopCause(StopCause.Kind.CANCELLED, "cancelled by " + c.by());
        return switch (job.phase()) {
            case Phase.Held held -> cancelledWaiting(job, c.by());
            case Phase.Waiting waiting -> cancelledWaiting(job, c.by());
            case Phase.Starting starting -> stop(job, cause);
            case Phase.Running running -> stop(job, cause);
            case Phase.Stopping stopping ->
                    stopping.cause().kind() == StopCause.Kind.CANCELLED
                            ? new Answer.Accepted(job.id(), List.of(), List.of())
                            : stop(job, cause);
            case Phase.Ended ended ->
                    wrongState(
                            job,
                            "cancel",
                            "it has ended",
                            "nothing is left to cancel; to run it again, submit it again");
        };
    }

    private Answer cancelledWaiting(Job job, String by) {
        var outcome = new Outcome(Outcome.Result.CANCELLED, -1, "cancelled by " + by);
        return leavingQueue(job, "cancelled", new Event.JobEnded(now, job.id(), outcome));
    }

    private Answer stop(Job job, StopCause cause) {
        Run run = Objects.requireNonNull(job.phase().run());
        return new Answer.Accepted(
                job.id(), List.of(new Event.AttemptStopping(now, run.id(), cause)), List.of());
    }

    private Answer hold(Command.Hold c) {
        Job job = state.job(c.job());
        if (job == null) {
            return unknownJob(c.job());
        }
        if (job.phase() instanceof Phase.Held) {
            return new Answer.Accepted(job.id(), List.of(), List.of());
        }
        if (!job.waiting()) {
            return wrongState(
                    job,
                    "hold",
                    "only waiting jobs can be held",
                    job.ended()
                            ? "nothing is left to hold; to run it again, submit it again"
                            : "cancel it and submit it again to run it later");
        }
        return leavingQueue(job, "held", new Event.JobHeld(now, job.id(), "held by " + c.by()));
    }

    private Answer release(Command.Release c) {
        Job job = state.job(c.job());
        if (job == null) {
            return unknownJob(c.job());
        }
        if (job.waiting()) {
            return new Answer.Accepted(job.id(), List.of(), List.of());
        }
        if (!(job.phase() instanceof Phase.Held)) {
            return wrongState(
                    job,
                    "release",
                    "only held jobs can be released",
                    job.ended()
                            ? "nothing is left to release; to run it again, submit it again"
                            : "nothing needs to be done, it has left the queue already");
        }
        return new Answer.Accepted(
                job.id(), List.of(new Event.JobReleased(now, job.id(), c.by())), List.of());
    }

    private Answer reprioritise(Command.Reprioritise c) {
        Job job = state.job(c.job());
        if (job == null) {
            return unknownJob(c.job());
        }
        if (job.ended()) {
            return wrongState(
                    job,
                    "change the priority of",
                    "it has ended",
                    "to run it again, submit it again with that priority");
        }
        return leavingQueue(
                job,
                "its priority changed",
                new Event.JobUpdated(now, job.id(), c.priority(), c.by()));
    }

    /// An event about a job that also drops the claims of the job.
    private Answer leavingQueue(Job job, String why, Event event) {
        var events = new ArrayList<>(Claims.dropAll(job, state, now, why));
        events.add(event);
        return new Answer.Accepted(job.id(), events, List.of());
    }

    private Answer putTenant(Command.PutTenant c) {
        Tenant tenant = c.tenant();
        if (c.create() && state.tenants().find(tenant.id()) != null) {
            return Answer.rejected(
                    Problem.Code.EXISTS,
                    "id",
                    "tenant " + tenant.id() + " exists",
                    "choose another id");
        }
        if (!c.create() && state.tenants().find(tenant.id()) == null) {
            return unknownTenant(tenant.id());
        }
        TenantId above = tenant.parent();
        while (above != null) {
            Tenant parent = state.tenants().find(above);
            if (parent == null || above.equals(tenant.id())) {
                return Answer.rejected(
                        Problem.Code.INVALID,
                        "parent_id",
                        parent == null
                                ? "tenant " + above + " does not exist"
                                : "tenant "
                                        + tenant.id()
                                        + " cannot be part of itself, found it above "
                                        + tenant.parent(),
                        parentHint(tenant, parent == null ? above : null));
            }
            above = parent.parent();
        }
        Problem guarantee = GuaranteeCheck.problem(tenant, state);
        if (guarantee != null) {
            return new Answer.Rejected(List.of(guarantee));
        }
        return Answer.accepted(new Event.TenantPut(now, tenant, c.by()));
    }

    /// The nearest that would do: a tenant of nearly that name, else what its parent is now.
    private String parentHint(Tenant tenant, @Nullable TenantId unknown) {
        var known = new ArrayList<String>();
        state.tenants().all().forEach(other -> known.add(other.id().name()));
        known.remove(tenant.id().name());
        String nearest = unknown == null ? null : SpellingSuggestion.to(unknown.name(), known);
        if (nearest != null) {
            return "the nearest is " + nearest;
        }
        Tenant now = state.tenants().find(tenant.id());
        TenantId parent = now == null ? null : now.parent();
        return (parent == null ? "leave it out" : "leave it as it is, " + parent)
                + ", or name an existing tenant that is not below this one";
    }

    private Answer removeTenant(Command.RemoveTenant c) {
        if (state.tenants().find(c.tenant()) == null) {
            return unknownTenant(c.tenant());
        }
        boolean parent =
                state.tenants().all().stream().anyMatch(t -> c.tenant().equals(t.parent()));
        boolean serves =
                state.pools().all().stream().anyMatch(p -> c.tenant().equals(p.pool().tenant()));
        if (c.tenant().equals(Tenant.DEFAULT)
                || parent
                || serves
                || state.tenants().presentJobs(c.tenant()) > 0) {
            return Answer.rejected(
                    Problem.Code.WRONG_STATE,
                    "tenant_id",
                    "tenant " + c.tenant() + " is still needed",
                    "cancel its jobs and remove its pools and the tenants below it first; "
                            + "`default` always stays");
        }
        return Answer.accepted(new Event.TenantRemoved(now, c.tenant(), c.by()));
    }

    /// A command that changes nothing needs no event.
    private Answer setMarket(Market market) {
        if (market.label().isEmpty() || market.value().isEmpty()) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    market.label().isEmpty() ? "label" : "value",
                    "expected the label of nodes and its value, found \""
                            + market.label()
                            + "\" = \""
                            + market.value()
                            + "\"",
                    "name both, such as cloud.google.com/gke-spot and true");
        }
        if (market.microDollarsPerGpuHour() < 0) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "price",
                    "expected 0 or more dollars per GPU hour, found "
                            + market.microDollarsPerGpuHour() / 1e6,
                    "the nearest is 0");
        }
        return state.nodePrices().all().contains(market)
                ? Answer.accepted()
                : Answer.accepted(new Event.MarketChanged(now, market));
    }

    private static Answer unknownJob(JobId id) {
        return Answer.rejected(
                Problem.Code.UNKNOWN_JOB,
                "job_id",
                "Job not found",
                id + " is not known; list the jobs");
    }

    private static Answer unknownTenant(@Nullable TenantId id) {
        return Answer.rejected(
                Problem.Code.UNKNOWN_TENANT,
                "tenant_id",
                "tenant " + id + " does not exist",
                "create it, or use the tenant `default`");
    }

    private static Answer wrongState(Job job, String verb, String why, String hint) {
        return Answer.rejected(
                Problem.Code.WRONG_STATE,
                "state",
                "cannot " + verb + " " + job.id() + ": " + why,
                hint);
    }
}
