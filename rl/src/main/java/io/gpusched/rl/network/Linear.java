package io.gpusched.rl.network;

import java.util.Arrays;

/// A linear layer `y = x·W + b`, with W stored one row per input. A layer without bias has a bias
/// part of no columns.
record Linear(WeightLayout.Part weights, WeightLayout.Part bias) {
    static Linear withBias(WeightLayout layout, String name, int in, int out) {
        return new Linear(layout.add(name, in, out), layout.add(name + ".bias", 1, out));
    }

    static Linear withoutBias(WeightLayout layout, String name, int in, int out) {
        var weights = layout.add(name, in, out);
        return new Linear(weights, new WeightLayout.Part(name + ".bias", weights.at(), 1, 0));
    }

    int in() {
        return weights.rows();
    }

    int out() {
        return weights.columns();
    }

    /// Overwrites `y` with the outputs of `rows` rows of `x`.
    void forward(float[] w, float[] x, int rows, float[] y) {
        if (bias.size() == 0) {
            Arrays.fill(y, 0, rows * out(), 0);
        }
        for (int row = 0; row < rows; row++) {
            System.arraycopy(w, bias.at(), y, row * out(), bias.size());
        }
        MatrixProduct.add(x, rows, w, weights.at(), in(), out(), y);
    }

    /// Adds the gradient of the weights, given the inputs and the gradient of the outputs.
    void backwardWeights(float[] x, float[] dy, int rows, float[] gradient) {
        MatrixProduct.addOuter(x, dy, rows, in(), out(), gradient, weights.at());
        for (int row = 0; row < rows; row++) {
            MatrixProduct.addScaled(1, dy, row * out(), gradient, bias.at(), bias.size());
        }
    }

    /// Adds the gradient of the inputs, given the gradient of the outputs.
    void backwardInputs(float[] w, float[] dy, int rows, float[] dx) {
        MatrixProduct.addTransposed(dy, rows, w, weights.at(), in(), out(), dx);
    }
}
