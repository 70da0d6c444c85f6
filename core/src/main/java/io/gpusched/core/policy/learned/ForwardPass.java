package io.gpusched.core.policy.learned;

import io.gpusched.core.model.Check;

/// Computes the scores of rows of features with a [ScoreModel], without allocating anything.
///
/// The order of the additions is fixed, and it is that of the library that trains: factors of zero
/// are left out, and the others are added in groups of eight, then of four. So a score has the same
/// bits in training, in production and in every replay. Within a group the inner loop runs along a
/// row of weights and sums nothing across its elements, so that the compiler can vectorise it.
public final class ForwardPass {
    private static final int STRIDE = 8;

    private final int[] sizes;
    private final float[] weights;
    private final int capacity;
    private final float[] inputs;
    private final float[] even;
    private final float[] odd;
    private final int[] offsets;
    private final float[] factors;

    ForwardPass(int[] sizes, float[] weights, int capacity) {
        this.sizes = sizes;
        this.weights = weights;
        this.capacity = capacity;
        int widest = 0;
        for (int size : sizes) {
            widest = Math.max(widest, size);
        }
        this.inputs = new float[capacity * sizes[0]];
        this.even = new float[capacity * widest];
        this.odd = new float[capacity * widest];
        this.offsets = new int[widest + STRIDE];
        this.factors = new float[widest + STRIDE];
    }

    /// Where the caller writes the features, one row after the other.
    public float[] inputs() {
        return inputs;
    }

    /// Computes the scores of the first rows of [#inputs].
    public void scores(int rows, float[] scores) {
        Check.that(rows <= capacity, "%s rows for a pass of %s", rows, capacity);
        float[] x = inputs;
        int at = 0;
        for (int layer = 1; layer < sizes.length; layer++) {
            float[] y = layer % 2 == 0 ? even : odd;
            layer(x, rows, at, sizes[layer - 1], sizes[layer], y);
            if (layer < sizes.length - 1) {
                relu(y, rows * sizes[layer]);
            }
            at += (sizes[layer - 1] + 1) * sizes[layer];
            x = y;
        }
        System.arraycopy(x, 0, scores, 0, rows);
    }

    /// One linear layer, whose weights begin at `at`.
    private void layer(float[] x, int rows, int at, int in, int out, float[] y) {
        for (int row = 0; row < rows; row++) {
            System.arraycopy(weights, at + in * out, y, row * out, out);
            int found = 0;
            for (int i = 0; i < in; i++) {
                float factor = x[row * in + i];
                offsets[found] = at + i * out;
                factors[found] = factor;
                found += factor != 0 ? 1 : 0;
            }
            addRows(found, y, row * out, out);
        }
    }

    private static void relu(float[] y, int count) {
        for (int i = 0; i < count; i++) {
            y[i] = Math.max(y[i], 0);
        }
    }

    /// Adds the sum of the first rows of weights at [#offsets], each times its factor.
    private void addRows(int count, float[] y, int at, int length) {
        int k = 0;
        for (; k + 8 <= count; k += 8) {
            addEight(k, y, at, length);
        }
        for (int end = k + STRIDE; count < end; end--) {
            factors[end - 1] = 0;
            offsets[end - 1] = offsets[0];
        }
        for (; k < count; k += 4) {
            addFour(k, y, at, length);
        }
    }

    private void addEight(int k, float[] y, int at, int length) {
        float[] w = weights;
        int w0 = offsets[k];
        int w1 = offsets[k + 1];
        int w2 = offsets[k + 2];
        int w3 = offsets[k + 3];
        int w4 = offsets[k + 4];
        int w5 = offsets[k + 5];
        int w6 = offsets[k + 6];
        int w7 = offsets[k + 7];
        float a0 = factors[k];
        float a1 = factors[k + 1];
        float a2 = factors[k + 2];
        float a3 = factors[k + 3];
        float a4 = factors[k + 4];
        float a5 = factors[k + 5];
        float a6 = factors[k + 6];
        float a7 = factors[k + 7];
        for (int j = 0; j < length; j++) {
            y[at + j] +=
                    ((a0 * w[w0 + j] + a1 * w[w1 + j]) + (a2 * w[w2 + j] + a3 * w[w3 + j]))
                            + ((a4 * w[w4 + j] + a5 * w[w5 + j])
                                    + (a6 * w[w6 + j] + a7 * w[w7 + j]));
        }
    }

    private void addFour(int k, float[] y, int at, int length) {
        float[] w = weights;
        int w0 = offsets[k];
        int w1 = offsets[k + 1];
        int w2 = offsets[k + 2];
        int w3 = offsets[k + 3];
        float a0 = factors[k];
        float a1 = factors[k + 1];
        float a2 = factors[k + 2];
        float a3 = factors[k + 3];
        for (int j = 0; j < length; j++) {
            y[at + j] += (a0 * w[w0 + j] + a1 * w[w1 + j]) + (a2 * w[w2 + j] + a3 * w[w3 + j]);
        }
    }
}
