package io.gpusched.rl.network;

import java.util.Arrays;

/// Brings each row to mean 0 and variance 1, then scales and shifts each column by learned numbers.
record LayerNorm(WeightLayout.Part gain, WeightLayout.Part shift) {
    private static final float EPSILON = 1e-5f;

    LayerNorm(WeightLayout layout, String name, int width) {
        this(layout.add(name + ".gain", 1, width), layout.add(name + ".shift", 1, width));
    }

    int width() {
        return gain.columns();
    }

    void initialise(float[] weights) {
        Arrays.fill(weights, gain.at(), gain.at() + width(), 1);
    }

    /// Overwrites `y`, and keeps for the way back: the normal rows, and what each was divided by.
    void forward(float[] w, float[] x, int rows, float[] normal, float[] deviation, float[] y) {
        int width = width();
        for (int row = 0; row < rows; row++) {
            int at = row * width;
            float mean = sum(x, at, width) / width;
            for (int i = 0; i < width; i++) {
                normal[at + i] = x[at + i] - mean;
            }
            float variance = MatrixProduct.dot(normal, at, normal, at, width) / width;
            float by = (float) Math.sqrt(variance + EPSILON);
            float inverse = 1 / by;
            deviation[row] = by;
            for (int i = 0; i < width; i++) {
                float each = normal[at + i] * inverse;
                normal[at + i] = each;
                y[at + i] = each * w[gain.at() + i] + w[shift.at() + i];
            }
        }
    }

    /// Replaces the gradient of the outputs by the gradient of the inputs, and adds the gradient of
    /// the weights.
    void backward(
            float[] w, float[] normal, float[] deviation, int rows, float[] dy, float[] gradient) {
        int width = width();
        for (int row = 0; row < rows; row++) {
            int at = row * width;
            for (int i = 0; i < width; i++) {
                gradient[gain.at() + i] += dy[at + i] * normal[at + i];
            }
            MatrixProduct.addScaled(1, dy, at, gradient, shift.at(), width);
            for (int i = 0; i < width; i++) {
                dy[at + i] *= w[gain.at() + i];
            }
            float mean = sum(dy, at, width) / width;
            float along = MatrixProduct.dot(dy, at, normal, at, width) / width;
            float inverse = 1 / deviation[row];
            for (int i = 0; i < width; i++) {
                dy[at + i] = (dy[at + i] - mean - normal[at + i] * along) * inverse;
            }
        }
    }

    private static float sum(float[] x, int at, int length) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            s0 += x[at + i];
            s1 += x[at + i + 1];
            s2 += x[at + i + 2];
            s3 += x[at + i + 3];
        }
        for (; i < length; i++) {
            s0 += x[at + i];
        }
        return (s0 + s1) + (s2 + s3);
    }
}
