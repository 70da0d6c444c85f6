package io.gpusched.core.engine;

import io.gpusched.core.policy.Backfill;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PlacementStrategy;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.core.policy.filter.ClosedNode;
import io.gpusched.core.policy.filter.HostFull;
import io.gpusched.core.policy.filter.NodeRequirements;
import io.gpusched.core.policy.filter.OtherCapacity;
import io.gpusched.core.policy.filter.RefusedBefore;
import io.gpusched.core.policy.filter.Tainted;
import io.gpusched.core.policy.filter.TooHot;
import io.gpusched.core.policy.filter.TooSmall;
import io.gpusched.core.policy.filter.Unconnected;
import io.gpusched.core.policy.filter.WrongLabels;
import io.gpusched.core.policy.filter.WrongMigMode;
import io.gpusched.core.policy.filter.WrongModel;
import io.gpusched.core.policy.gate.CarbonGate;
import io.gpusched.core.policy.gate.DeadlineGate;
import io.gpusched.core.policy.gate.GuaranteeGate;
import io.gpusched.core.policy.gate.QuotaGate;
import io.gpusched.core.policy.order.F1Order;
import io.gpusched.core.policy.order.FairOrder;
import io.gpusched.core.policy.order.FifoOrder;
import io.gpusched.core.policy.order.IndexOrder;
import io.gpusched.core.policy.order.LearnedOrder;
import io.gpusched.core.policy.order.LeastAttainedOrder;
import io.gpusched.core.policy.order.PriorityOrder;
import io.gpusched.core.policy.order.RandomOrder;
import io.gpusched.core.policy.order.ShortestLimitOrder;
import io.gpusched.core.policy.order.ShortestPredictedOrder;
import io.gpusched.core.policy.order.ShortestRemainingOrder;
import io.gpusched.core.policy.order.UnicepOrder;
import io.gpusched.core.policy.order.Wfp3Order;
import io.gpusched.core.policy.preempt.LostWork;
import io.gpusched.core.policy.preempt.NoPreemption;
import io.gpusched.core.policy.preempt.OrderPreemptor;
import io.gpusched.core.policy.preempt.PriorityPreemptor;
import io.gpusched.core.policy.preempt.ReclaimPreemptor;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The built-in policies by name: an order, and how it deals with a head that cannot start.
///
///     priority, fifo, sjf, fair     with a reservation for the head
///     f1, wfp3, unicep, index       the same, in orders from the literature
///     random                        the same, in a random order, as a baseline
///     srtf, las                     every job may overtake, and running jobs may be preempted
///     spf                           shortest expected first; the oldest has the reservation
///     learned                       a model orders jobs of equal priority
///     learned-mixed                 a model orders jobs of all priorities
///     …-skip                        every job may overtake, nothing is reserved
///     …-strict                      no job overtakes
///     …-conservative                with a reservation for every job near the head
///
/// Under the learned policies every job may overtake, and the reservation is for a job that the
/// model has kept waiting for too long. They exist where the settings have a model.
///
/// `-conservative` needs one fixed queue order. So it is not available for `fair`, where tenants
/// take turns, nor for `spf`, `srtf`, `las` and the learned policies.
public final class Policies {
    public static final List<String> NAMES =
            List.of(
                    "priority",
                    "priority-skip",
                    "priority-strict",
                    "priority-conservative",
                    "fifo",
                    "fifo-skip",
                    "fifo-strict",
                    "fifo-conservative",
                    "sjf",
                    "sjf-skip",
                    "sjf-strict",
                    "sjf-conservative",
                    "spf",
                    "spf-skip",
                    "fair",
                    "fair-skip",
                    "fair-strict",
                    "srtf",
                    "las",
                    "f1",
                    "f1-skip",
                    "f1-strict",
                    "f1-conservative",
                    "wfp3",
                    "wfp3-skip",
                    "wfp3-strict",
                    "wfp3-conservative",
                    "unicep",
                    "unicep-skip",
                    "unicep-strict",
                    "unicep-conservative",
                    "index",
                    "index-skip",
                    "index-strict",
                    "index-conservative",
                    "random",
                    "random-skip",
                    "random-strict",
                    "random-conservative");

    /// The policies in which a model orders the queue.
    public static final List<String> LEARNED = List.of("learned", "learned-mixed");

    private static final String CONSERVATIVE = "-conservative";

    private static final List<String> ORDERS =
            List.of(
                    "priority",
                    "fair",
                    "fifo",
                    "sjf",
                    "spf",
                    "f1",
                    "wfp3",
                    "unicep",
                    "index",
                    "srtf",
                    "las",
                    "random");

    private Policies() {}

    /// Whether the policy of that name orders jobs by how long they are expected to run.
    public static boolean goesByPredictions(String name) {
        String order = name.contains("-") ? name.substring(0, name.indexOf('-')) : name;
        return order.equals("spf") || order.equals("srtf") || order.equals("learned");
    }

    /// The names that can be chosen under these settings: the built-in ones and those of orders
    /// from elsewhere.
    public static List<String> names(PolicySettings settings) {
        var names = new ArrayList<>(NAMES);
        if (settings.learned().model() != null) {
            names.addAll(LEARNED);
        }
        for (QueueOrder order : settings.plugins().orders()) {
            names.add(order.name());
            names.add(order.name() + "-skip");
            names.add(order.name() + "-strict");
            if (standsStill(order)) {
                names.add(order.name() + CONSERVATIVE);
            }
        }
        return names;
    }

    /// The policy that a journal names.
    ///
    /// @throws IllegalArgumentException when there is none of that name, which happens when a
    ///     plug-in was taken away
    static Policy recorded(String name, PolicySettings settings) {
        Policy found = named(name, settings);
        if (found == null) {
            String remedy = remedy(name, settings);
            throw new IllegalArgumentException(
                    "the journal names the policy "
                            + name
                            + ", which does not exist here; known policies are "
                            + String.join(", ", names(settings))
                            + ". "
                            + (remedy.isEmpty() ? "Bring back the plug-in that has it" : remedy));
        }
        return found;
    }

    /// The policy of that name; null when there is none, or no placer such as the settings ask for.
    public static @Nullable Policy named(String name, PolicySettings settings) {
        QueueOrder order = order(name, settings);
        Ranking ranking = ranking(order, settings.learned());
        if (order instanceof LearnedOrder && ranking == null) {
            return null;
        }
        PlacementStrategy placementStrategy =
                PlacementStrategies.named(settings.placement(), settings.thermal());
        if (order == null || placementStrategy == null) {
            return null;
        }
        if (name.endsWith(CONSERVATIVE) && !standsStill(order)) {
            return null;
        }
        Backfill backfill = order instanceof PreemptiveOrder ? Backfill.SKIP : backfill(name);
        var filters = new ArrayList<Filter>();
        filters.add(new ClosedNode());
        filters.add(new WrongModel());
        filters.add(new TooSmall());
        filters.add(new WrongMigMode());
        filters.add(new Unconnected());
        filters.add(new WrongLabels());
        filters.add(new NodeRequirements());
        filters.add(new Tainted());
        filters.add(new OtherCapacity());
        filters.add(new RefusedBefore());
        filters.add(new HostFull());
        if (settings.thermal()) {
            filters.add(new TooHot());
        }
        filters.addAll(settings.plugins().filters());
        var scorers = new ArrayList<>(placementStrategy.scorers());
        scorers.addAll(settings.plugins().scorers());
        Policy.Builder policy =
                Policy.builder(name, order, placementStrategy.fitter(), preemptor(order, settings))
                        .gates(gates(order, backfill, ranking))
                        .filters(filters)
                        .scorers(scorers)
                        .backfill(backfill)
                        .breadth(placementStrategy.breadth());
        return ranking == null ? policy.build() : policy.ranking(ranking).build();
    }

    /// What to do about a name for which there is no policy, beyond choosing another one; empty if
    /// there is nothing.
    public static String remedy(String name, PolicySettings settings) {
        return LEARNED.contains(name) && settings.learned().model() == null
                ? "load a model: " + name + " goes by a trained model, and there is none here"
                : "";
    }

    private static @Nullable Ranking ranking(@Nullable QueueOrder order, LearnedSettings learned) {
        RankingModel model = learned.model();
        return order instanceof LearnedOrder && model != null
                ? new Ranking(
                        model.name(),
                        model.ranker(),
                        learned.starvationBound(),
                        order.pointEvery() != null)
                : null;
    }

    private static List<Gate> gates(
            QueueOrder order, Backfill backfill, @Nullable Ranking ranking) {
        var quota =
                ranking == null ? new QuotaGate(backfill != Backfill.SKIP) : new QuotaGate(ranking);
        var deadlines = new DeadlineGate();
        var carbon = new CarbonGate();
        return order.byTenant()
                ? List.of(deadlines, carbon, quota, new GuaranteeGate())
                : List.of(deadlines, carbon, quota);
    }

    private static Preemptor preemptor(QueueOrder order, PolicySettings settings) {
        if (order instanceof PreemptiveOrder preemptive) {
            return settings.preemption()
                    ? new OrderPreemptor(preemptive)
                    : NoPreemption.switchedOff();
        }
        Duration pointEvery = order.pointEvery();
        if (pointEvery == null) {
            return new NoPreemption();
        }
        if (!settings.preemption()) {
            return NoPreemption.switchedOff();
        }
        var lost = new LostWork(settings.checkpointEvery());
        var lowest = new PriorityPreemptor(lost, pointEvery, settings.agesHeld());
        return order.byTenant() ? new ReclaimPreemptor(lost, lowest) : lowest;
    }

    private static Backfill backfill(String name) {
        if (name.endsWith("-skip")) {
            return Backfill.SKIP;
        }
        if (name.endsWith(CONSERVATIVE)) {
            return Backfill.CONSERVATIVE;
        }
        return name.endsWith("-strict") ? Backfill.STRICT : Backfill.RESERVE;
    }

    /// Whether the order allows reservations for many jobs: there is one queue, the first job goes
    /// first, and running jobs are not preempted for it.
    private static boolean standsStill(QueueOrder order) {
        return !order.byTenant()
                && !order.reservesForOldest()
                && !(order instanceof LearnedOrder)
                && !(order instanceof PreemptiveOrder);
    }

    private static @Nullable QueueOrder order(String policy, PolicySettings settings) {
        var byPriority =
                PriorityOrder.pointsPerMinute(settings.pointsPerMinute(), settings.agesHeld());
        if (LEARNED.contains(policy)) {
            return policy.equals(LEARNED.getFirst())
                    ? LearnedOrder.byPriority(byPriority.pointEvery())
                    : LearnedOrder.mixed();
        }
        String name = policy.replaceFirst("-(skip|strict|conservative)$", "");
        return switch (ORDERS.indexOf(name)) {
            case 0 -> byPriority;
            case 1 -> new FairOrder(byPriority);
            case 2 -> new FifoOrder();
            case 3 -> new ShortestLimitOrder();
            case 4 -> new ShortestPredictedOrder();
            case 5 -> new F1Order(Instant.EPOCH);
            case 6 -> new Wfp3Order(Instant.EPOCH);
            case 7 -> new UnicepOrder(Instant.EPOCH);
            case 8 -> new IndexOrder();
            case 9 -> policy.equals(name) ? new ShortestRemainingOrder(Duration.ZERO) : null;
            case 10 ->
                    policy.equals(name) ? new LeastAttainedOrder(LeastAttainedOrder.USUAL) : null;
            case 11 -> new RandomOrder();
            default -> plugin(name, settings);
        };
    }

    private static @Nullable QueueOrder plugin(String name, PolicySettings settings) {
        for (QueueOrder order : settings.plugins().orders()) {
            if (order.name().equals(name)) {
                return order;
            }
        }
        return null;
    }
}
