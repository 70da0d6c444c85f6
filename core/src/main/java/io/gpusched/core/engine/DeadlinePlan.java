package io.gpusched.core.engine;

import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.CapacityRule.SpotLabel;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.DeadlineJob;
import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.spot.ExpectedHours;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.spot.SpotDecision;
import io.gpusched.core.spot.SpotHistory;
import io.gpusched.core.spot.SpotPrices;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.DeadlineLedger;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Asks the rule of deadlines where jobs should run. It is a function of the ledger and the time,
/// so that an explanation repeats what the engine decided.
///
/// The rule knows one market. For a job, that is all spot capacity on which it could be placed: it
/// is available while the job runs there, or could start there without preemption.
public final class DeadlinePlan {
    /// How often the rule is asked.
    static final Duration EVERY = Duration.ofMinutes(1);

    /// A job that waits although all of its expected work is done is planned to need this.
    private static final long LEAST_WORK = 600_000;

    /// Nodes that Karpenter labels as spot capacity are spot nodes without a market of their own.
    private static final SpotLabel KARPENTER = new SpotLabel("karpenter.sh/capacity-type", "spot");

    private final ClusterState state;
    private final DeadlineRule rule;
    private final ReplicaRoom room;
    private final Instant now;

    private DeadlinePlan(ClusterState state, DeadlineRule rule, ReplicaRoom room, Instant now) {
        this.state = state;
        this.rule = rule;
        this.room = room;
        this.now = now;
    }

    public static DeadlinePlan of(Engine engine, Instant now) {
        ClusterState state = engine.state();
        return new DeadlinePlan(
                state,
                engine.timedDecisions().deadlineRule(),
                new ReplicaRoom(state, engine.nodeSearch(), engine.policy(), now),
                now);
    }

    /// What one kind of request finds now.
    ///
    /// @param spot the labels of spot nodes
    /// @param prices of one GPU hour on the nodes that it accepts; null where one is not known
    record Offer(JobSpec spec, List<SpotLabel> spot, @Nullable SpotPrices prices) {
        CapacityRule rule(SpotChoice choice) {
            return switch (choice) {
                case SPOT -> new CapacityRule(CapacityRule.Kind.SPOT, spot);
                case ON_DEMAND -> new CapacityRule(CapacityRule.Kind.ON_DEMAND, spot);
                case WAIT -> new CapacityRule(CapacityRule.Kind.NONE, List.of());
            };
        }
    }

    Offer offer(JobSpec spec) {
        var labels = new ArrayList<SpotLabel>();
        for (Market market : state.nodePrices().all()) {
            if (market.spot()) {
                labels.add(new SpotLabel(market.label(), market.value()));
            }
        }
        if (!labels.contains(KARPENTER)) {
            labels.add(KARPENTER);
        }
        JobSpec asked = spec.asRequested();
        return new Offer(asked, labels, prices(asked.roles().getFirst().shape(), labels));
    }

    /// The cheapest price on nodes that accept the shape. While there is no such node, the cheapest
    /// price of the market.
    private @Nullable SpotPrices prices(Shape shape, List<SpotLabel> labels) {
        var isSpot = new CapacityRule(CapacityRule.Kind.SPOT, labels);
        Long spot = null;
        Long onDemand = null;
        for (NodeView node : state.nodes().all()) {
            Market market = state.nodePrices().of(node.facts().labels());
            if (market == null || !accepts(shape, node)) {
                continue;
            }
            if (isSpot.isSpot(node.facts().labels())) {
                spot = least(spot, market);
            } else {
                onDemand = least(onDemand, market);
            }
        }
        for (Market market : state.nodePrices().cheapestFirst()) {
            spot = spot == null && market.spot() ? least(null, market) : spot;
            onDemand = onDemand == null && !market.spot() ? least(null, market) : onDemand;
        }
        return spot == null || onDemand == null || onDemand == 0
                ? null
                : new SpotPrices(spot, onDemand);
    }

    private static Long least(@Nullable Long before, Market market) {
        long price = market.microDollarsPerGpuHour();
        return before == null || price < before ? price : before;
    }

    private static boolean accepts(Shape shape, NodeView node) {
        return shape.selects(node.facts().labels())
                && node.facts().gpus().stream().map(Gpu::model).anyMatch(shape::acceptsModel);
    }

    /// How many such jobs could start now on this capacity without preemption.
    int room(Offer offer, SpotChoice on, int most) {
        return room.places(offer.spec().on(offer.rule(on)), most, offer.spec().work());
    }

    /// Where the job runs; waiting if it does not.
    SpotChoice current(Job job, Offer offer) {
        Run run = job.phase().run();
        if (run == null) {
            return SpotChoice.WAIT;
        }
        CapacityRule spot = offer.rule(SpotChoice.SPOT);
        for (Slot slot : run.on().slots()) {
            NodeView node = state.nodes().find(slot.node());
            if (node != null && spot.isSpot(node.facts().labels())) {
                return SpotChoice.SPOT;
            }
        }
        return SpotChoice.ON_DEMAND;
    }

    /// Whether all nodes of the run can be reached and are not being emptied.
    boolean isSteady(Run run) {
        for (Slot slot : run.on().slots()) {
            NodeView node = state.nodes().find(slot.node());
            if (node == null
                    || node.status().draining()
                    || node.status().reach() != NodeStatus.Reach.UP) {
                return false;
            }
        }
        return true;
    }

    /// What an explanation shows.
    public @Nullable DeadlineDecision decide(DeadlineLedger.Entry entry) {
        Job job = state.job(entry.job());
        if (job == null || job.spec().deadline() == null) {
            return null;
        }
        Offer offer = offer(job.spec());
        SpotChoice current = current(job, offer);
        boolean spot = current == SpotChoice.SPOT || room(offer, SpotChoice.SPOT, 1) > 0;
        return decide(entry, job, offer, spot, () -> room(offer, SpotChoice.ON_DEMAND, 1) > 0);
    }

    /// @param spot whether the job runs on spot capacity or could start there
    /// @param onDemand whether it could start on demand; asked only if it matters
    DeadlineDecision decide(
            DeadlineLedger.Entry entry,
            Job job,
            Offer offer,
            boolean spot,
            BooleanSupplier onDemand) {
        JobDeadline deadline = Objects.requireNonNull(job.spec().deadline());
        DeadlineJob asked = asked(entry, job, deadline, current(job, offer));
        SpotHistory history = history(entry, spot);
        SpotPrices prices = offer.prices();
        SpotDecision decision = decide(asked, prices, history);
        boolean must = decision.choice() == SpotChoice.ON_DEMAND;
        boolean none = must && asked.current() != SpotChoice.ON_DEMAND && !onDemand.getAsBoolean();
        if (none && spot && prices != null) {
            String stays = asked.current() == SpotChoice.SPOT ? "it stays on" : "it starts on";
            decision =
                    new SpotDecision(
                            SpotChoice.SPOT,
                            decision.reason()
                                    + "; no capacity on demand is free, so "
                                    + stays
                                    + " spot capacity");
        }
        long toLeave = asked.overhead() + asked.interval();
        return new DeadlineDecision(
                choice(decision, asked, job, prices, history),
                asked.current(),
                deadline.of(job.submitted()),
                asked.remaining(),
                now.plusMillis(asked.slack() - toLeave),
                asked.slack() < 0 || (none && asked.slack() < toLeave));
    }

    private SpotDecision decide(
            DeadlineJob asked, @Nullable SpotPrices prices, SpotHistory history) {
        if (prices == null) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND,
                    "runs on demand like a job without a deadline: prices of spot capacity and of"
                            + " capacity on demand are not both known");
        }
        if (asked.remaining() == 0) {
            return new SpotDecision(
                    asked.current(), "stays where it runs: its expected work is done");
        }
        if (asked.current() == SpotChoice.ON_DEMAND && !mayPay(asked, prices)) {
            return new SpotDecision(
                    SpotChoice.ON_DEMAND, "stays on demand: less is left than another start costs");
        }
        return rule.decide(DeadlineLedger.millis(now), asked, prices, history);
    }

    /// Whether moving to spot capacity could pay at all. The rule plans in steps of ten minutes and
    /// would move a job that needs one minute more.
    private static boolean mayPay(DeadlineJob asked, SpotPrices prices) {
        double spot = (double) prices.spotMicroDollarsPerHour();
        double stays = (double) (asked.remaining() + asked.overheadLeft());
        return (asked.remaining() + asked.overhead()) * spot
                < stays * prices.onDemandMicroDollarsPerHour();
    }

    private DeadlineJob asked(
            DeadlineLedger.Entry entry, Job job, JobDeadline deadline, SpotChoice current) {
        long overhead = deadline.restartOrUsual().toMillis();
        long remaining = DeadlineLedger.remaining(entry, job, deadline, now);
        boolean waits = current == SpotChoice.WAIT;
        Duration silent = state.deadlineJobs().silence(job);
        Duration late = EVERY.plus(job.spec().onLoss().grace()).plus(silent);
        return new DeadlineJob(
                Duration.between(now, deadline.of(job.submitted())).toMillis(),
                waits ? Math.max(remaining, LEAST_WORK) : remaining,
                overhead,
                waits ? 0 : Math.max(0, overhead - DeadlineLedger.ran(job, now)),
                current,
                late.toMillis());
    }

    /// What was seen of the market, as it is for this job: where others hold all spot capacity,
    /// there is none for it, for as long as they have had it.
    private SpotHistory history(DeadlineLedger.Entry entry, boolean spot) {
        DeadlineLedger.Seen seen = state.deadlineJobs().seen(entry.need());
        if (seen == null) {
            return SpotHistory.begin(DeadlineLedger.millis(now), spot);
        }
        SpotHistory all = seen.history();
        return new SpotHistory(spot, all.since(), all.outages(), all.supplies());
    }

    private CapacityChoice choice(
            SpotDecision decision,
            DeadlineJob asked,
            Job job,
            @Nullable SpotPrices prices,
            SpotHistory history) {
        if (prices == null) {
            return new CapacityChoice(
                    decision.choice(), decision.reason(), asked.slack(), -1, -1, -1);
        }
        ExpectedHours hours = rule.expected(DeadlineLedger.millis(now), asked, prices, history);
        long gpus = Math.max(1, job.spec().milliGpus() / 1_000);
        long price = prices.onDemandMicroDollarsPerHour() * gpus;
        return new CapacityChoice(
                decision.choice(),
                decision.reason(),
                asked.slack(),
                hours.microDollars(SpotChoice.SPOT, price),
                hours.microDollars(SpotChoice.WAIT, price),
                hours.microDollars(SpotChoice.ON_DEMAND, price));
    }
}
