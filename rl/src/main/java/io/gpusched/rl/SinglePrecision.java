package io.gpusched.rl;

/// Sums as numpy makes them of small arrays in single precision: eight running sums from eight
/// numbers on.
final class SinglePrecision {
    private static final int LANES = 8;

    private SinglePrecision() {}

    static float sum(float[] numbers) {
        int whole = numbers.length - numbers.length % LANES;
        float sum = 0;
        if (whole > 0) {
            var lanes = new float[LANES];
            for (int i = 0; i < whole; i++) {
                lanes[i % LANES] += numbers[i];
            }
            sum =
                    ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
                            + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        }
        for (int i = whole; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }
}
