package io.gpusched.rl.network;

/// Products of matrices that are stored row after row in flat arrays. Results are added to what the
/// target holds.
///
/// Each product is a sum of scaled rows: `y += a·w`, where the inner loop runs along a row and has
/// no sum across its elements, so the compiler vectorises it without changing the result. Eight
/// rows are added at once, because reading and writing `y` would otherwise cost as much as the
/// arithmetic. Factors of zero are skipped: after a ReLU they are about half of all.
///
/// The order of the additions depends on the arguments alone.
final class MatrixProduct {
    private static final int STRIDE = 8;

    /// How many columns are transposed at a time, so that the rows written to stay in the cache.
    private static final int BLOCK = 16;

    private MatrixProduct() {}

    /// Adds `x · w` to `y`, where `x` has `rows` rows and the matrix `w` begins at `at`.
    static void add(float[] x, int rows, float[] w, int at, int in, int out, float[] y) {
        var offsets = new int[in + STRIDE];
        var factors = new float[in + STRIDE];
        for (int row = 0; row < rows; row++) {
            int from = row * in;
            int found = 0;
            for (int i = 0; i < in; i++) {
                float factor = x[from + i];
                offsets[found] = at + i * out;
                factors[found] = factor;
                found += factor != 0 ? 1 : 0;
            }
            addRows(offsets, factors, found, w, y, row * out, out);
        }
    }

    /// Adds `dy · wᵀ` to `dx`: the gradient of the inputs, given the gradient of the outputs.
    static void addTransposed(
            float[] dy, int rows, float[] w, int at, int in, int out, float[] dx) {
        var transposed = new float[in * out];
        for (int block = 0; block < out; block += BLOCK) {
            int end = Math.min(out, block + BLOCK);
            for (int i = 0; i < in; i++) {
                for (int j = block; j < end; j++) {
                    transposed[j * in + i] = w[at + i * out + j];
                }
            }
        }
        add(dy, rows, transposed, 0, out, in, dx);
    }

    /// Adds `xᵀ · dy` to the matrix `dw` that begins at `at`: the gradient of the weights.
    static void addOuter(float[] x, float[] dy, int rows, int in, int out, float[] dw, int at) {
        var offsets = new int[rows + STRIDE];
        var factors = new float[rows + STRIDE];
        for (int i = 0; i < in; i++) {
            int found = 0;
            for (int row = 0; row < rows; row++) {
                float factor = x[row * in + i];
                offsets[found] = row * out;
                factors[found] = factor;
                found += factor != 0 ? 1 : 0;
            }
            addRows(offsets, factors, found, dy, dw, at + i * out, out);
        }
    }

    /// Adds the sum over k of `factors[k]` times the row of `w` at `offsets[k]`.
    private static void addRows(
            int[] offsets, float[] factors, int count, float[] w, float[] y, int at, int length) {
        int k = 0;
        for (; k + 8 <= count; k += 8) {
            addEight(offsets, factors, k, w, y, at, length);
        }
        for (int end = k + STRIDE; count < end; end--) {
            factors[end - 1] = 0;
            offsets[end - 1] = offsets[0];
        }
        for (; k < count; k += 4) {
            addFour(offsets, factors, k, w, y, at, length);
        }
    }

    private static void addEight(
            int[] offsets, float[] factors, int k, float[] w, float[] y, int at, int length) {
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

    private static void addFour(
            int[] offsets, float[] factors, int k, float[] w, float[] y, int at, int length) {
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

    /// The product of two rows, in four running sums.
    static float dot(float[] x, int xAt, float[] y, int yAt, int length) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            s0 += x[xAt + i] * y[yAt + i];
            s1 += x[xAt + i + 1] * y[yAt + i + 1];
            s2 += x[xAt + i + 2] * y[yAt + i + 2];
            s3 += x[xAt + i + 3] * y[yAt + i + 3];
        }
        for (; i < length; i++) {
            s0 += x[xAt + i] * y[yAt + i];
        }
        return (s0 + s1) + (s2 + s3);
    }

    /// Adds `factor` times a row of `x` to a row of `y`.
    static void addScaled(float factor, float[] x, int xAt, float[] y, int yAt, int length) {
        for (int i = 0; i < length; i++) {
            y[yAt + i] += factor * x[xAt + i];
        }
    }
}
