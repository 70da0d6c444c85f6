package io.gpusched.core.policy.learned;

/// A fast logarithm with an error below 1e-7, the same on every machine: the exponent is exact, and
/// the mantissa is interpolated in a table. [StrictMath#log] gives more digits than a feature
/// needs, at ten times the cost.
final class LogTable {
    private static final int BITS = 11;
    private static final double LN_2 = 0.693_147_180_559_945_3;
    private static final long MANTISSA = (1L << 52) - 1;
    private static final double[] LN = new double[(1 << BITS) + 1];

    static {
        for (int i = 0; i < LN.length; i++) {
            LN[i] = StrictMath.log(1 + (double) i / (1 << BITS));
        }
    }

    private LogTable() {}

    /// ln(1 + x); 0 for a negative x.
    static double log1p(double x) {
        if (!(x > 0)) {
            return 0;
        }
        double value = 1 + x;
        long mantissa = Double.doubleToRawLongBits(value) & MANTISSA;
        int at = (int) (mantissa >>> (52 - BITS));
        double part = (mantissa & ((1L << (52 - BITS)) - 1)) * 0x1p-41;
        return Math.getExponent(value) * LN_2 + LN[at] + part * (LN[at + 1] - LN[at]);
    }
}
