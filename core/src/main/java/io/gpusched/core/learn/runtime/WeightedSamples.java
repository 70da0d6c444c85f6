package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Check;

import java.util.Arrays;

/// Collects weighted runtimes into one curve. Some of them are known only to be *longer* than a
/// value: those of runs in progress.
///
/// The weight of a run in progress is handed to the longer ones (the product-limit estimator of
/// Kaplan and Meier, with weights). Leaving these runs out would favour short ones: when twenty
/// jobs start together, the first to end are not typical of the rest.
///
///     ended after 5, 6, 9; in progress for 7        5    6         9
///                                               1/4  1/4       1/2
final class WeightedSamples {
    private static final int INDEX_BITS = 12;
    private static final int MOST = 1 << INDEX_BITS;
    private static final long INDEX = MOST - 1;

    private final double[] at = new double[MOST];
    private final double[] weight = new double[MOST];
    private final boolean[] inProgress = new boolean[MOST];
    private final long[] order = new long[MOST];
    private int size;

    void clear() {
        size = 0;
    }

    void add(double log, double runs, boolean isInProgress) {
        Check.that(size < MOST, "expected at most %s run times in one curve", MOST);
        at[size] = log;
        weight[size] = runs;
        inProgress[size] = isInProgress;
        size++;
    }

    /// The curve; needs at least one completed runtime.
    RuntimeCurve runtimeCurve() {
        sort();
        double left = 0;
        int known = 0;
        for (int i = 0; i < size; i++) {
            left += weight[i];
            known += inProgress[i] ? 0 : 1;
        }
        var logs = new double[known];
        var below = new double[known];
        double longer = 1;
        int next = 0;
        for (int k = 0; k < size; k++) {
            int i = (int) (order[k] & INDEX);
            if (!inProgress[i]) {
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

    /// Sorts by value; equal values keep their order of insertion. The index replaces the last bits
    /// of the value, which are far below any difference that matters.
    private void sort() {
        for (int i = 0; i < size; i++) {
            long bits = Double.doubleToLongBits(at[i]);
            bits ^= (bits >> 63) & Long.MAX_VALUE;
            order[i] = (bits & ~INDEX) | i;
        }
        Arrays.sort(order, 0, size);
    }
}
