package io.gpusched.lab.fgd;

import io.gpusched.core.model.Check;

/// The share of GPUs in use as the load grows, in the shape in which results are published: one
/// column for each percent of load that has arrived.
public final class AllocationCurve {
    public static final int COLUMNS = 131;

    private final double[] sums = new double[COLUMNS];
    private final int[] counts = new int[COLUMNS];

    void add(double arrived, double used) {
        int column = (int) Math.rint(arrived);
        if (column < COLUMNS) {
            sums[column] += Math.rint(used * 100) / 100;
            counts[column]++;
        }
    }

    /// Whether anything arrived at that load.
    public boolean has(int column) {
        return counts[column] > 0;
    }

    /// The largest load, in percent, at which anything arrived.
    public int last() {
        int last = COLUMNS - 1;
        while (last > 0 && !has(last)) {
            last--;
        }
        return last;
    }

    /// The mean, rounded to hundredths; only where there is one.
    public double at(int column) {
        Check.that(has(column), "nothing arrived at a load of %s %%", column);
        return Math.round(sums[column] / counts[column] * 100) / 100.0;
    }
}
