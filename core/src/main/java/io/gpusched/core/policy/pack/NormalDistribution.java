package io.gpusched.core.policy.pack;

/// Probabilities of the normal distribution.
final class NormalDistribution {
    private static final double SERIES_UP_TO = 2.5;
    private static final int FRACTIONS = 60;

    private NormalDistribution() {}

    /// The probability that a normally distributed variable is `value` or above.
    static double atLeast(double value, double mean, double deviation) {
        return 0.5 * complement((value - mean) / (StrictMath.sqrt(2) * deviation));
    }

    /// The complementary error function: by its series near zero, where that is short, and by its
    /// continued fraction further out.
    static double complement(double x) {
        if (x < 0) {
            return 2 - complement(-x);
        }
        double bell = StrictMath.exp(-x * x) / StrictMath.sqrt(StrictMath.PI);
        if (x >= SERIES_UP_TO) {
            double fraction = 0;
            for (int n = FRACTIONS; n > 0; n--) {
                fraction = n / 2.0 / (x + fraction);
            }
            return bell / (x + fraction);
        }
        double term = x;
        double sum = x;
        for (int n = 1; term > sum * 1e-17; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 1 - 2 * bell * sum;
    }
}
