package io.gpusched.sim.metrics;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// What one run of a job holds and uses. Its account is settled whenever something about the run
/// changes, so all rates are constant between two settlements.
final class RunUsage {
    final List<GpuHold> stays;
    final Instant placed;
    final GanttBars.BarRange drawn;
    private final JobTotals jobTotals;
    /// Ranks that hold GPUs without using them.
    final TreeMap<Integer, Instant> idle = new TreeMap<>();

    boolean runs;
    Instant ranFrom;
    private Instant since;
    private double watts;
    private double marketWatts;
    private double wattGrams;
    private double dollarsPerHour;
    private long milli;
    private final long placedMilli;

    RunUsage(List<GpuHold> stays, Instant placed, JobTotals jobTotals, GanttBars.BarRange drawn) {
        this.stays = stays;
        this.drawn = drawn;
        this.placed = placed;
        this.jobTotals = jobTotals;
        this.since = placed;
        this.ranFrom = placed;
        rate();
        this.placedMilli = milli;
    }

    boolean uses(GpuHold gpuHold) {
        return runs && !idle.containsKey(gpuHold.rank());
    }

    /// Charges the account up to now, and computes the rates again.
    void settle(Instant now, FleetUsage fleetUsage) {
        double hours = seconds(since, now) / 3600;
        jobTotals.gpuHours += milli / 1000.0 * hours;
        jobTotals.dollars += dollarsPerHour * hours;
        jobTotals.kwh += (watts + marketWatts) * hours / 1000;
        jobTotals.grams += fleetUsage.grams(watts, since, now) + wattGrams * hours / 1000;
        since = now;
        rate();
    }

    private void rate() {
        watts = 0;
        marketWatts = 0;
        wattGrams = 0;
        dollarsPerHour = 0;
        milli = 0;
        for (GpuHold gpuHold : stays) {
            milli += gpuHold.milli();
            double draws =
                    gpuHold.nodeUsage().wattsOf(gpuHold.gpu(), gpuHold.milli(), uses(gpuHold));
            if (gpuHold.nodeUsage().grams > 0) {
                marketWatts += draws;
                wattGrams += draws * gpuHold.nodeUsage().grams;
            } else {
                watts += draws;
            }
            dollarsPerHour +=
                    gpuHold.milli() / 1000.0 * gpuHold.nodeUsage().dollarsPerHour(gpuHold.gpu());
        }
    }

    /// Moves what the run holds to the other node usage, as far as its GPUs exist there.
    void move(NodeUsage from, NodeUsage to, Instant now, double seconds, FleetUsage fleetUsage) {
        if (stays.stream().noneMatch(gpuHold -> gpuHold.nodeUsage() == from)) {
            return;
        }
        settle(now, fleetUsage);
        for (int i = stays.size() - 1; i >= 0; i--) {
            GpuHold gpuHold = stays.get(i);
            if (gpuHold.nodeUsage() != from) {
                continue;
            }
            leave(gpuHold, seconds, fleetUsage);
            stays.remove(i);
            if (gpuHold.gpu() < to.gpus()) {
                var next = new GpuHold(to, gpuHold.rank(), gpuHold.gpu(), gpuHold.milli());
                stays.add(i, next);
                fleetUsage.hold(next, 1, seconds);
                if (uses(next)) {
                    fleetUsage.busy(next, 1, seconds);
                }
            }
        }
        rate();
    }

    /// Gives a part of a GPU back.
    void leave(GpuHold gpuHold, double seconds, FleetUsage fleetUsage) {
        if (uses(gpuHold)) {
            fleetUsage.busy(gpuHold, -1, seconds);
        }
        fleetUsage.hold(gpuHold, -1, seconds);
    }

    double heldSeconds(Instant now) {
        return seconds(placed, now);
    }

    /// The GPUs that the run was granted, in thousandths.
    long milli() {
        return placedMilli;
    }

    static double seconds(Instant from, Instant to) {
        return (to.toEpochMilli() - from.toEpochMilli()) / 1000.0;
    }
}
