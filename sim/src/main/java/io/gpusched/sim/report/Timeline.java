package io.gpusched.sim.report;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.sim.scenario.ScenarioDurations;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Writes the events of a run as text, one line for each event that a reader cares about:
///
///     00:00:05  submit   job-2 team-b 16 GPUs in 2 tasks
///     00:00:05  wait     job-2                        no free place for all of its tasks now
///     00:41:12  end      job-1 completed
///
/// The timeline says why a job waits when the job is first tried and whenever the reason changes.
/// It leaves out the initial nodes and tenants, because the scenario lists them.
public final class Timeline implements Listener {
    /// The source of the reasons why jobs wait.
    public interface Reasons {
        List<RefusalCount> of(JobId job, TurnOutcome.Waits waits, Instant at);
    }

    private static final int WIDE = 28;

    private final Instant start;
    private final Consumer<String> out;
    private final Map<JobId, String> told = new HashMap<>();
    private final Map<ClaimId, Claim> claims = new HashMap<>();
    private Reasons reasons = (job, waits, at) -> waits.because();

    /// @param start the time that the timeline counts from
    public Timeline(Instant start, Consumer<String> out) {
        this.start = start;
        this.out = out;
    }

    /// Uses another source of reasons than the result of the cycle.
    public void explainBy(Reasons better) {
        this.reasons = better;
    }

    @Override
    public void concluded(Batch batch, CycleResult cycleResult) {
        var hot = new GpuLines();
        for (Event event : batch.facts()) {
            tell(event, cycleResult, hot);
        }
        hot.flush();
        for (Event event : batch.decided()) {
            tell(event, cycleResult, hot);
        }
        hot.flush();
        cycleResult.attempts().forEach((job, turnOutcome) -> explain(job, turnOutcome, batch.at()));
    }

    /// Writes a refused action.
    public void refused(Instant at, Input input, List<Problem> problems) {
        String what =
                input instanceof Command.Submit submit
                        ? "submission of " + submit.spec().name()
                        : TimelineText.of(input);
        problems.forEach(problem -> line(at, "refuse", what, problem.message()));
    }

    private void tell(Event event, CycleResult cycleResult, GpuLines gpus) {
        Instant at = event.at();
        switch (event) {
            case Event.JobSubmitted e ->
                    line(
                            at,
                            "submit",
                            e.job() + " " + TimelineText.of(e.spec()),
                            e.held() ? "held" : "");
            case Event.JobUpdated e ->
                    line(at, "change", e.job() + " priority " + e.priority(), "");
            case Event.JobHeld e -> line(at, "hold", e.job(), e.why());
            case Event.JobReleased e -> line(at, "release", e.job(), "");
            case Event.AttemptPlaced e -> placed(e, cycleResult);
            case Event.TaskIdle e -> idle(e);
            case Event.StartRefused e -> refused(e);
            case Event.RefusalConfirmed e ->
                    line(at, "blame", e.node(), e.job() + " started elsewhere");
            case Event.AvoidanceEnded e -> line(at, "retry", e.job() + " on " + e.node(), "");
            case Event.AttemptRunning e -> line(at, "run", e.attempt().job(), "");
            case Event.AttemptStopping e ->
                    line(
                            at,
                            "stop",
                            e.attempt().job() + " " + TimelineText.of(e.cause().kind()),
                            e.cause().detail());
            case Event.JobRequeued e -> requeued(e);
            case Event.JobEnded e -> ended(e);
            case Event.CapacityChosen _, Event.SpotSeen _ -> tellOfSpot(event);
            case Event.ClaimMade e -> claimed(at, e.claim());
            case Event.ClaimDropped e -> dropped(at, e);
            case Event.NodeJoined e -> atLater(at, "join", TimelineText.of(e.node()));
            case Event.NodeChanged e ->
                    line(at, "node", e.node() + " " + TimelineText.of(e.status()), e.reason());
            case Event.NodeRemoved e -> line(at, "leave", e.node(), "");
            case Event.GpuChanged e -> gpus.add(e);
            case Event.ForeignChanged e -> line(at, "foreign", e.node(), e.all().size() + " users");
            case Event.TenantPut _, Event.TenantRemoved _ -> tellOfTenant(event);
            case Event.AgentJoined _, Event.AgentLost _, Event.TaskChanged _ -> {}
            case Event.PoolPut _, Event.PoolRemoved _, Event.PoolHeld _ -> tellOfPool(event);
            case Event.PoolScaled _, Event.PoolLapsed _, Event.PoolChoice _ -> tellOfPool(event);
            case Event.ReplicaDraining e -> line(at, "draining", e.job(), e.reason());
            case Event.PoolLoadChanged _, Event.PoolRecommended _, Event.LeaseBound _ -> {}
            case Event.ModelPut _, Event.ModelRemoved _, Event.ModelCached _ -> {}
            case Event.ModelWanted _, Event.ModelUnwanted _ -> {}
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> {}
            case Event.BindingPut _, Event.BindingRemoved _ -> {}
            case Event.ForecastPut _, Event.ForecastRemoved _, Event.MarketChanged _ ->
                    power(event);
            case Event.Observed _, Event.Scored _, Event.RetentionChanged _, Event.Imported _ -> {}
            case Event.EngineStarted _, Event.OrdersDelayed _, Event.PolicyChanged _ ->
                    tellOfScheduler(event);
        }
    }

    private void tellOfTenant(Event event) {
        Instant at = event.at();
        switch (event) {
            case Event.TenantPut e -> atLater(at, "tenant", e.tenant().id() + " changed");
            case Event.TenantRemoved e -> line(at, "tenant", e.tenant() + " removed", "");
            default -> {}
        }
    }

    private void tellOfScheduler(Event event) {
        Instant at = event.at();
        switch (event) {
            case Event.EngineStarted e -> atLater(at, "charge", "term " + e.term());
            case Event.OrdersDelayed e ->
                    line(at, "delayed", "orders", ScenarioDurations.rough(e.by()));
            case Event.PolicyChanged e -> line(at, "policy", e.policy(), "");
            default -> {}
        }
    }

    private void ended(Event.JobEnded e) {
        told.remove(e.job());
        String what = e.job() + " " + TimelineText.of(e.outcome());
        line(e.at(), "end", what, TimelineText.why(e.outcome()));
    }

    private void tellOfSpot(Event event) {
        if (event instanceof Event.CapacityChosen e) {
            line(e.at(), "choose", e.job() + " " + e.choice().choice(), e.choice().reason());
        } else if (event instanceof Event.SpotSeen e) {
            line(e.at(), "spot", e.available() ? "available" : "unavailable", "");
        }
    }

    private void tellOfPool(Event event) {
        Instant at = event.at();
        switch (event) {
            case Event.PoolPut e -> line(at, "pool", e.pool().id(), "");
            case Event.PoolRemoved e -> line(at, "pool", e.pool(), "removed");
            case Event.PoolHeld e ->
                    line(
                            at,
                            "pool",
                            e.pool(),
                            e.replicas() == null ? "released" : "held at " + e.replicas());
            case Event.PoolScaled e ->
                    line(at, "pool", e.pool(), e.from() + " to " + e.to() + ": " + e.reason());
            case Event.PoolLapsed e -> line(at, "pool", e.pool(), "lapsed: " + e.reason());
            case Event.PoolChoice e ->
                    line(at, "pool", e.pool(), e.choice().rule() + ": " + e.choice().reason());
            default -> {}
        }
    }

    private void power(Event event) {
        switch (event) {
            case Event.MarketChanged e -> line(e.at(), "market", e.market(), "");
            case Event.ForecastPut e -> line(e.at(), "carbon", e.forecast().region(), slots(e));
            case Event.ForecastRemoved e -> line(e.at(), "carbon", e.region(), "forecast removed");
            default -> {}
        }
    }

    private static String slots(Event.ForecastPut e) {
        int slots = e.forecast().grams().size();
        return "forecast of %d × %s".formatted(slots, ScenarioDurations.rough(e.forecast().slot()));
    }

    private void idle(Event.TaskIdle e) {
        Instant since = e.since();
        line(
                e.at(),
                since == null ? "busy" : "idle",
                e.attempt().job() + " task " + e.rank(),
                since == null ? "" : "since " + clock(since));
    }

    private void refused(Event.StartRefused e) {
        Instant until = e.avoidUntil();
        line(
                e.at(),
                "refuse",
                e.attempt().job() + " by " + e.node(),
                until == null ? e.reason() : e.reason() + ", avoided until " + clock(until));
    }

    private void requeued(Event.JobRequeued e) {
        Instant due = e.notBefore();
        line(
                e.at(),
                "requeue",
                e.job() + (e.lost() ? " lost" : ""),
                due == null ? e.reason() : e.reason() + ", not before " + clock(due));
    }

    private void placed(Event.AttemptPlaced e, CycleResult cycleResult) {
        JobId job = e.attempt().job();
        told.remove(job);
        String cost =
                cycleResult.attempts().get(job) instanceof TurnOutcome.Placed tried
                        ? TimelineText.of(tried.terms())
                        : "";
        line(e.at(), "place", job + " " + e.on(), cost);
    }

    private void claimed(Instant at, Claim claim) {
        claims.put(claim.id(), claim);
        String who = claim.claimHolder() instanceof ClaimHolder.OfJob of ? of.job() + " " : "";
        String where = new Placement(claim.slots()).toString();
        String when =
                claim.kind() == Claim.Kind.RESERVATION ? "from " + clock(claim.from()) + ": " : "";
        line(at, verb(claim), who + where, when + claim.reason());
    }

    private void dropped(Instant at, Event.ClaimDropped e) {
        Claim claim = claims.remove(e.claim());
        if (claim != null) {
            String who = claim.claimHolder() instanceof ClaimHolder.OfJob of ? of.job() + " " : "";
            line(at, "drop", who + noun(claim), e.reason());
        }
    }

    private static String verb(Claim claim) {
        return switch (claim.kind()) {
            case RESERVATION -> "reserve";
            case ROOM -> "room";
            case MAINTENANCE -> "service";
        };
    }

    private static String noun(Claim claim) {
        return claim.kind() == Claim.Kind.RESERVATION ? "reservation" : verb(claim);
    }

    private void explain(JobId job, TurnOutcome turnOutcome, Instant at) {
        if (turnOutcome instanceof TurnOutcome.Waits waits) {
            Instant reserved = waits.reserved();
            String why =
                    TimelineText.because(reasons.of(job, waits, at))
                            + (reserved == null ? "" : ", reserved from " + clock(reserved));
            if (!why.equals(told.put(job, why))) {
                line(at, "wait", job, why);
            }
        }
    }

    private void atLater(Instant at, String verb, String what) {
        if (at.isAfter(start)) {
            line(at, verb, what, "");
        }
    }

    private void line(Instant at, String verb, Object what, String why) {
        String text = what.toString();
        String head = "%s  %-8s %s".formatted(clock(at), verb, text);
        int gap = Math.max(2, WIDE - text.length());
        out.accept(why.isEmpty() ? head : head + " ".repeat(gap) + why);
    }

    private String clock(Instant at) {
        return ScenarioDurations.clock(Duration.between(start, at));
    }

    /// GPUs of one node that change in the same way at one time share one line.
    private final class GpuLines {
        private Event.@Nullable GpuChanged last;
        private long mask;

        void add(Event.GpuChanged e) {
            if (last != null
                    && (!last.node().equals(e.node()) || !last.condition().equals(e.condition()))) {
                flush();
            }
            last = e;
            mask |= 1L << e.gpu();
        }

        void flush() {
            if (last != null) {
                String what =
                        last.node()
                                + Placement.indices(mask)
                                + " "
                                + TimelineText.of(last.condition());
                line(last.at(), "gpu", what, last.condition().reason());
            }
            last = null;
            mask = 0;
        }
    }
}
