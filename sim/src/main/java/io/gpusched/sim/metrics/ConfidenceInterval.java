package io.gpusched.sim.metrics;

import io.gpusched.sim.scenario.SeededRandom;

import java.util.Arrays;

/// The mean of a metric over several seeds with its 95 % confidence interval.
///
/// The interval is Efron's percentile bootstrap: two thousand resamples with replacement, of which
/// the middle 95 % of the means are kept. The resamples depend only on the values and a fixed seed.
/// With one seed, low and high equal the value.
///
/// @param seeds how many values there were
public record ConfidenceInterval(double mean, double low, double high, int seeds) {
    private static final int DRAWS = 2_000;
    private static final double OUTSIDE = 0.025;

    /// Of the values that are numbers; no numbers when there are none.
    public static ConfidenceInterval of(double... values) {
        double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
        if (known.length == 0) {
            return new ConfidenceInterval(Double.NaN, Double.NaN, Double.NaN, 0);
        }
        double mean = mean(known);
        if (known.length == 1) {
            return new ConfidenceInterval(mean, mean, mean, 1);
        }
        var means = new Sample();
        SeededRandom seededRandom = SeededRandom.of(1, "bootstrap", known.length);
        for (int i = 0; i < DRAWS; i++) {
            double sum = 0;
            for (int k = 0; k < known.length; k++) {
                sum += known[seededRandom.below(known.length)];
            }
            means.add(sum / known.length);
        }
        return new ConfidenceInterval(
                mean, means.quantile(OUTSIDE), means.quantile(1 - OUTSIDE), known.length);
    }

    /// Whether the intervals overlap, so that chance could explain the difference.
    public boolean touches(ConfidenceInterval other) {
        return low <= other.high && other.low <= high;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
