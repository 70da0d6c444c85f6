package io.gpusched.lab.train;

import io.gpusched.rl.Evaluation;

import java.util.Arrays;
import java.util.Locale;

/// A mean over training seeds with its 95 % confidence interval by Student's t. Training seeds are
/// few, and a bootstrap of three values would be too narrow. One value has no interval.
///
/// @param half half of the width; not a number for fewer than two values
record StudentInterval(double mean, double half, int count) {
    /// The 0.975 quantiles for 1 to 30 degrees of freedom.
    private static final double[] QUANTILES = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045, 2.042
    };
    private static final double NORMAL = 1.96;

    static StudentInterval of(double... values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        int freedom = values.length - 1;
        if (freedom < 1) {
            return new StudentInterval(mean, Double.NaN, values.length);
        }
        double quantile = freedom <= QUANTILES.length ? QUANTILES[freedom - 1] : NORMAL;
        double half = quantile * Evaluation.Outcome.standardError(values);
        return new StudentInterval(mean, half, values.length);
    }

    @Override
    public String toString() {
        return Double.isNaN(half)
                ? String.format(Locale.ROOT, "%.3f", mean)
                : String.format(Locale.ROOT, "%.3f ± %.3f", mean, half);
    }
}
