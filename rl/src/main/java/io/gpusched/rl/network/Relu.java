package io.gpusched.rl.network;

/// The function max(0, x), in place.
final class Relu {
    private Relu() {}

    static void forward(float[] x, int count) {
        for (int i = 0; i < count; i++) {
            x[i] = Math.max(x[i], 0);
        }
    }

    /// Clears the gradient where the output was 0.
    static void backward(float[] y, float[] dy, int count) {
        for (int i = 0; i < count; i++) {
            dy[i] = y[i] > 0 ? dy[i] : 0;
        }
    }
}
