package io.gpusched.sim.metrics;

import java.util.Arrays;
import java.util.function.DoubleConsumer;

/// A growing list of numbers with its mean and quantiles.
public final class Sample {
    private double[] values = new double[16];
    private int size;
    private double sum;
    private boolean sorted;

    public void add(double value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
        sum += value;
        sorted = false;
    }

    public int size() {
        return size;
    }

    /// No number when there are none.
    public double mean() {
        return size == 0 ? Double.NaN : sum / size;
    }

    /// By nearest rank: the smallest that at least this part of all does not exceed. No number when
    /// there are none.
    public double quantile(double part) {
        if (size == 0) {
            return Double.NaN;
        }
        sort();
        int rank = (int) Math.ceil(part * size - 1e-9);
        return values[Math.clamp(rank - 1, 0, size - 1)];
    }

    /// The quantiles at 0, 1/n, 2/n to 1; empty when there are no numbers.
    public double[] curve(int n) {
        if (size == 0) {
            return new double[0];
        }
        var curve = new double[n + 1];
        for (int i = 0; i <= n; i++) {
            curve[i] = quantile((double) i / n);
        }
        return curve;
    }

    /// Hands all to another, in the order in which they came or sorted.
    void addTo(DoubleConsumer other) {
        for (int i = 0; i < size; i++) {
            other.accept(values[i]);
        }
    }

    private void sort() {
        if (!sorted) {
            Arrays.sort(values, 0, size);
            sorted = true;
        }
    }
}
