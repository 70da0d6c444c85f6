package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Check;

import java.util.Arrays;

/// Weighted run times being put together into one curve, some of them known only to be *longer*
/// than something: the runs that are still going on.
///
/// What a run that goes on weighs is handed to the longer ones (the product-limit estimator of
/// Kaplan and Meier, with weights). Leaving these runs out would favour the short: when twenty jobs
/// were started together, the first to end are not typical of the rest.
///
///     ended after 5, 6, 9; going on for 7        5    6         9
///                                               1/4  1/4       1/2
final class WeightedSamples {
    private static final int INDEX_BITS = 12;
    private static final int MOST = 1 << INDEX_BITS;
    private static final long INDEX = MOST - 1;

    private final double[] at = new double[MOST];
    private final double[] weight = new double[MOST];
    private final boolean[] goesOn = new boolean[MOST];
    private final long[] order = new long[MOST];
    private int size;

    void clear() {
        size = 0;
    }

    void add(double log, double runs, boolean stillGoesOn) {
        Check.that(size < MOST, "expected at most %s run times in one curve", MOST);
        at[size] = log;
        weight[size] = runs;
        goesOn[size] = stillGoesOn;
        size++;
    }

    /// The curve; needs at least one run time that is known.
    RuntimeCurve runtimeCurve() {
        sort();
        double left = 0;
        int known = 0;
        for (int i = 0; i < size; i++) {
            left += weight[i];
            known += goesOn[i] ? 0 : 1;
        }
        var logs = new double[known];
        var below = new double[known];
        double longer = 1;
        int next = 0;
        for (int k = 0; k < size; k++) {
            int i = (int) (order[k] & INDEX);
            if (!goesOn[i]) {
                double share = left > weight[i] ? weight[i] / left : 1;
                double mass = next == known - 1 ? longer : longer * share;
                logs[next] = at[i];
                below[next] = 1 - longer + mass / 2;
                longer -= mass;
                next++;
            }
            left -= weight[i];
        }
        return new RuntimeCurve(logs, below);
    }

    /// By value; equal ones in the order they came. The last bits of the value make room for the
    /// index, which orders nothing that anybody could tell apart.
    private void sort() {
        for (int i = 0; i < size; i++) {
            long bits = Double.doubleToLongBits(at[i]);
            bits ^= (bits >> 63) & Long.MAX_VALUE;
            order[i] = (bits & ~INDEX) | i;
        }
        Arrays.sort(order, 0, size);
    }
}
