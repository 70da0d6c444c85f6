package io.gpusched.sim.generate;

/// Adds numbers in the order in which numpy does, so that sums agree to the last bit: eight running
/// sums within a block, and blocks two by two.
final class PairwiseSum {
    private static final int LANES = 8;
    private static final int BLOCK = 128;

    private PairwiseSum() {}

    static double of(double[] numbers) {
        return of(numbers, 0, numbers.length);
    }

    private static double of(double[] numbers, int from, int count) {
        if (count < LANES) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += numbers[from + i];
            }
            return sum;
        }
        if (count > BLOCK) {
            int half = count / 2 - count / 2 % LANES;
            return of(numbers, from, half) + of(numbers, from + half, count - half);
        }
        var lanes = new double[LANES];
        int whole = count - count % LANES;
        for (int i = 0; i < whole; i++) {
            lanes[i % LANES] += numbers[from + i];
        }
        double sum =
                ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
                        + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        for (int i = whole; i < count; i++) {
            sum += numbers[from + i];
        }
        return sum;
    }
}
