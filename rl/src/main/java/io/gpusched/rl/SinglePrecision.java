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
            sum =
                    ((lane(numbers, 0, whole) + lane(numbers, 1, whole))
                                    + (lane(numbers, 2, whole) + lane(numbers, 3, whole)))
                            + ((lane(numbers, 4, whole) + lane(numbers, 5, whole))
                                    + (lane(numbers, 6, whole) + lane(numbers, 7, whole)));
        }
        for (int i = whole; i < numbers.length; i++) {
            sum += numbers[i];
        }
        return sum;
    }

    private static float lane(float[] numbers, int first, int end) {
        float sum = numbers[first];
        for (int i = first + LANES; i < end; i += LANES) {
            sum += numbers[i];
        }
        return sum;
    }
}
