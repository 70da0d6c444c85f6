package io.gpusched.gateway.measure;

/// A histogram as Prometheus defines it: cumulative counts below fixed bounds, a sum and a count.
public final class FixedHistogram {
    private final double[] bounds;
    private final long[] counts;
    private double sum;
    private long count;

    public FixedHistogram(double... bounds) {
        this.bounds = bounds.clone();
        counts = new long[bounds.length];
    }

    public void add(double value) {
        sum += value;
        count++;
        for (int i = 0; i < bounds.length; i++) {
            if (value <= bounds[i]) {
                counts[i]++;
                return;
            }
        }
    }

    public int size() {
        return bounds.length;
    }

    public double bound(int index) {
        return bounds[index];
    }

    /// How many values were at most the bound.
    public long upTo(int index) {
        long total = 0;
        for (int i = 0; i <= index; i++) {
            total += counts[i];
        }
        return total;
    }

    public double sum() {
        return sum;
    }

    public long count() {
        return count;
    }
}
