package io.gpusched.lab.spot;

import io.gpusched.core.spot.SpotChoice;

import java.util.Arrays;

/// The cheapest run of a job by a policy that knows the whole trace.
///
/// Idea: the work that is done is the time that has passed less the time that was lost, by waiting
/// or by starts. Of all runs that have lost the same time and are on the same machine with the same
/// overhead left, only the cheapest matters. Lost time beyond the slack misses the deadline, so the
/// table is small. Cost: ticks times slack, in units of the greatest common divisor of tick and
/// overhead.
final class DeadlineOptimum {
    private static final int FINEST = 1_000;

    private final DeadlineTraces.Trace trace;
    private final int tick;
    private final int task;
    private final int deadline;
    private final int overhead;

    /// Starts of which the overhead takes several ticks: how many ticks at most.
    private final int levels;

    private final int slack;
    private double best = Double.POSITIVE_INFINITY;

    private DeadlineOptimum(DeadlineCase given, DeadlineTraces.Trace trace) {
        this.trace = trace;
        int unit = gcd(trace.tick() * FINEST, thousandths(given.overhead()));
        unit = gcd(gcd(unit, thousandths(given.task())), thousandths(given.deadline()));
        this.tick = trace.tick() * FINEST / unit;
        this.task = thousandths(given.task()) / unit;
        this.deadline = thousandths(given.deadline()) / unit;
        this.overhead = thousandths(given.overhead()) / unit;
        this.levels = Math.max(1, (overhead + tick - 1) / tick);
        this.slack = deadline - task;
    }

    /// In dollars; infinite if no run meets the deadline.
    static double cost(DeadlineCase given, DeadlineTraces.Trace trace) {
        var optimum = new DeadlineOptimum(given, trace);
        return optimum.slack < 0
                ? Double.POSITIVE_INFINITY
                : optimum.cheapest(
                        DeadlineRun.price(SpotChoice.SPOT, trace.tick()),
                        DeadlineRun.price(SpotChoice.ON_DEMAND, trace.tick()));
    }

    /// Rows of a table: nowhere, then spot by overhead left, then on demand by overhead left.
    private double cheapest(double spotPrice, double onDemandPrice) {
        double[][] from = empty();
        from[0][0] = 0;
        for (int i = 0; (i + 1) * tick <= deadline; i++) {
            double[][] to = empty();
            for (int row = 0; row < from.length; row++) {
                boolean lost = row > 0 && row <= levels && !trace.has(i);
                int current = lost ? 0 : row;
                step(from[row], current, 0, 0, to, i);
                step(from[row], current, levels + 1, onDemandPrice, to, i);
                if (trace.has(i)) {
                    step(from[row], current, 1, spotPrice, to, i);
                }
            }
            from = to;
        }
        return best;
    }

    /// All runs of one row take the same next step.
    ///
    /// @param next 0 to wait, 1 for spot, `levels + 1` for on demand
    private void step(double[] from, int current, int next, double price, double[][] to, int i) {
        boolean goesOn = next > 0 && current >= next && current < next + levels;
        int left = next == 0 ? 0 : goesOn ? leftAt(current - next) : overhead;
        int loses = next == 0 ? tick : Math.min(tick, left);
        double[] into = to[next == 0 ? 0 : next + levelOf(left - loses)];
        for (int lost = 0; lost + loses <= slack && lost < from.length; lost++) {
            double cost = from[lost] + price;
            if (cost < into[lost + loses]) {
                into[lost + loses] = cost;
                if ((i + 1) * tick - lost - loses >= task) {
                    best = Math.min(best, cost);
                }
            }
        }
    }

    /// Overhead that is left on a level: none on level 0.
    private int leftAt(int level) {
        return level == 0 ? 0 : overhead - (levels - level) * tick;
    }

    private int levelOf(int left) {
        return left == 0 ? 0 : levels - (overhead - left) / tick;
    }

    private double[][] empty() {
        var table = new double[1 + 2 * levels][slack + 1];
        for (double[] row : table) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        return table;
    }

    private static int thousandths(double seconds) {
        return Math.toIntExact(Math.round(seconds * FINEST));
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
