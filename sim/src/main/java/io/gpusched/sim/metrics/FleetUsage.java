package io.gpusched.sim.metrics;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The use of all nodes, with sums that grow over time: GPU time available, held and used, energy,
/// carbon. A change costs one pass over the GPUs of a node; advancing time costs one pass over the
/// possible numbers of free GPUs.
final class FleetUsage {
    /// A node that is empty for this long could sleep.
    static final double SLEEPS_AFTER_SECONDS = 600;

    private static final double WATT_SECONDS_PER_KWH = 3_600_000;

    private final GridIntensity gridIntensity;
    private final Map<NodeId, NodeUsage> places = new LinkedHashMap<>();
    private final List<Market> markets = new ArrayList<>();
    private final int[] nodesByFree = new int[Gpu.MOST_PER_NODE + 1];
    private final long[] tasksBySize = new long[Gpu.MOST_PER_NODE + 1];
    private long tasks;
    private int gpusThere;
    private int mostThere;
    private long heldMilli;
    private long busyMilli;
    private double wattsOnCurve;
    private double wattGramsOnMarket;
    private double watts;
    private Totals totals = Totals.NONE;
    private double asleep;

    /// Sums over time.
    ///
    /// @param there GPU seconds
    /// @param fragments GPU seconds that were free and of no use, see [Metric#FRAGMENTATION]
    record Totals(
            double there,
            double held,
            double busy,
            double free,
            double fragments,
            double kwh,
            double grams,
            double savedKwh) {
        static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0, 0);
    }

    FleetUsage(GridIntensity gridIntensity) {
        this.gridIntensity = gridIntensity;
    }

    /// Advances the time; nothing changed in between.
    void pass(Instant from, Instant to) {
        double seconds = (to.toEpochMilli() - from.toEpochMilli()) / 1000.0;
        double free = 0;
        double fragments = 0;
        long smaller = tasksBySize[0];
        for (int size = 1; size < nodesByFree.length; size++) {
            smaller += tasksBySize[size];
            if (nodesByFree[size] > 0) {
                double gpus = (double) size * nodesByFree[size];
                free += gpus;
                fragments += tasks == 0 ? 0 : gpus * (tasks - smaller) / tasks;
            }
        }
        totals =
                new Totals(
                        totals.there + gpusThere * seconds,
                        totals.held + heldMilli / 1000.0 * seconds,
                        totals.busy + busyMilli / 1000.0 * seconds,
                        totals.free + free * seconds,
                        totals.fragments + fragments * seconds,
                        totals.kwh + watts * seconds / WATT_SECONDS_PER_KWH,
                        totals.grams
                                + grams(wattsOnCurve, from, to)
                                + wattGramsOnMarket * seconds / WATT_SECONDS_PER_KWH,
                        asleep);
    }

    /// The carbon of drawing that power for that time.
    double grams(double watts, Instant from, Instant to) {
        return watts == 0 ? 0 : watts * gridIntensity.between(from, to) / WATT_SECONDS_PER_KWH;
    }

    /// The sums so far; `now` in seconds, for nodes that are empty and could sleep.
    Totals totals(double now) {
        double saved = asleep;
        for (NodeUsage nodeUsage : places.values()) {
            saved += saves(nodeUsage, now);
        }
        return new Totals(
                totals.there,
                totals.held,
                totals.busy,
                totals.free,
                totals.fragments,
                totals.kwh,
                totals.grams,
                saved);
    }

    /// Moves GPU time from used to held but idle, once that is known.
    void wasNotUsed(double gpuSeconds) {
        totals =
                new Totals(
                        totals.there,
                        totals.held,
                        totals.busy - gpuSeconds,
                        totals.free,
                        totals.fragments,
                        totals.kwh,
                        totals.grams,
                        totals.savedKwh);
    }

    int gpusThere() {
        return gpusThere;
    }

    /// The largest number of GPUs at one time.
    int mostThere() {
        return mostThere;
    }

    long heldMilli() {
        return heldMilli;
    }

    long busyMilli() {
        return busyMilli;
    }

    @Nullable NodeUsage place(NodeId id) {
        return places.get(id);
    }

    /// Counts the GPU request of a task, to know what the workload requests.
    void asked(int gpus) {
        tasksBySize[Math.min(gpus, Gpu.MOST_PER_NODE)]++;
        tasks++;
    }

    /// Adds a node, or replaces one that has changed. The old [NodeUsage] no longer counts, and
    /// runs on it must move; see [RunUsage#move].
    NodeUsage joined(Node node, double now) {
        NodeUsage nodeUsage = places.get(node.id());
        if (nodeUsage == null || !nodeUsage.node.equals(node)) {
            NodeUsage before = nodeUsage;
            nodeUsage = before == null ? new NodeUsage(node) : before.as(node);
            nodeUsage.market = market(node.labels());
            places.put(node.id(), nodeUsage);
            if (before != null) {
                before.lost = true;
                refresh(before, now);
            }
        }
        nodeUsage.lost = false;
        refresh(nodeUsage, now);
        return nodeUsage;
    }

    void changed(NodeId id, NodeStatus status, double now) {
        NodeUsage nodeUsage = places.get(id);
        if (nodeUsage != null) {
            nodeUsage.lost = status.reach() == NodeStatus.Reach.LOST;
            refresh(nodeUsage, now);
        }
    }

    void removed(NodeId id, double now) {
        NodeUsage nodeUsage = places.get(id);
        if (nodeUsage != null) {
            nodeUsage.lost = true;
            refresh(nodeUsage, now);
        }
    }

    void condition(Event.GpuChanged e, double now) {
        NodeUsage nodeUsage = places.get(e.node());
        if (nodeUsage != null && e.gpu() < nodeUsage.gpus()) {
            nodeUsage.condition(e.gpu(), e.condition());
            refresh(nodeUsage, now);
        }
    }

    void priced(Market market, double now) {
        markets.removeIf(
                other ->
                        other.label().equals(market.label())
                                && other.value().equals(market.value()));
        markets.add(market);
        for (NodeUsage nodeUsage : places.values()) {
            nodeUsage.market = market(nodeUsage.node.labels());
            refresh(nodeUsage, now);
        }
    }

    private @Nullable Market market(Labels labels) {
        Market best = null;
        for (Market market : markets) {
            if (labels.value(market.label()).equals(market.value())
                    && (best == null
                            || market.microDollarsPerGpuHour() < best.microDollarsPerGpuHour())) {
                best = market;
            }
        }
        return best;
    }

    void hold(GpuHold gpuHold, int sign, double now) {
        gpuHold.nodeUsage().hold(gpuHold.gpu(), sign);
        heldMilli += (long) sign * gpuHold.milli();
        refresh(gpuHold.nodeUsage(), now);
    }

    void busy(GpuHold gpuHold, int sign, double now) {
        gpuHold.nodeUsage().busy(gpuHold.gpu(), sign * gpuHold.milli());
        busyMilli += (long) sign * gpuHold.milli();
        refresh(gpuHold.nodeUsage(), now);
    }

    /// Replaces a node's contribution to the sums by its present one.
    private void refresh(NodeUsage nodeUsage, double now) {
        remember(nodeUsage, -1);
        nodeUsage.grams = nodeUsage.market == null ? 0 : nodeUsage.market.gramsPerKwh();
        nodeUsage.free = nodeUsage.lost ? 0 : nodeUsage.countFree();
        boolean empty = nodeUsage.isEmpty() && !nodeUsage.lost;
        if (!empty) {
            asleep += saves(nodeUsage, now);
            nodeUsage.emptySince = Double.NaN;
        } else if (Double.isNaN(nodeUsage.emptySince)) {
            nodeUsage.emptySince = now;
        }
        nodeUsage.watts = nodeUsage.lost ? 0 : nodeUsage.countWatts();
        nodeUsage.there = nodeUsage.lost ? 0 : nodeUsage.gpus();
        remember(nodeUsage, 1);
    }

    private void remember(NodeUsage nodeUsage, int sign) {
        nodesByFree[nodeUsage.free] += sign;
        gpusThere += sign * nodeUsage.there;
        mostThere = Math.max(mostThere, gpusThere);
        watts += sign * nodeUsage.watts;
        if (nodeUsage.grams > 0) {
            wattGramsOnMarket += sign * nodeUsage.watts * nodeUsage.grams;
        } else {
            wattsOnCurve += sign * nodeUsage.watts;
        }
    }

    private static double saves(NodeUsage nodeUsage, double now) {
        return Double.isNaN(nodeUsage.emptySince)
                ? 0
                : Math.max(0, now - nodeUsage.emptySince - SLEEPS_AFTER_SECONDS)
                        * nodeUsage.watts
                        / WATT_SECONDS_PER_KWH;
    }
}
