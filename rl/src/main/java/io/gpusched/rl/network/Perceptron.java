package io.gpusched.rl.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A chain of linear layers with a ReLU after each, or after each but the last.
final class Perceptron {
    private final List<Linear> layers = new ArrayList<>();
    private final boolean reluAtEnd;

    /// @param sizes of the input, of each hidden layer, and of the output
    Perceptron(WeightLayout layout, String name, boolean reluAtEnd, int... sizes) {
        this.reluAtEnd = reluAtEnd;
        for (int i = 1; i < sizes.length; i++) {
            layers.add(Linear.withBias(layout, name + "." + i, sizes[i - 1], sizes[i]));
        }
    }

    List<Linear> layers() {
        return layers;
    }

    int in() {
        return layers.getFirst().in();
    }

    int out() {
        return layers.getLast().out();
    }

    Run run(int capacity) {
        return new Run(capacity);
    }

    private boolean hasRelu(int layer) {
        return reluAtEnd || layer < layers.size() - 1;
    }

    /// The memory of one computation.
    final class Run {
        private final float[] inputs;
        private final List<float[]> outputs = new ArrayList<>();
        private final List<float[]> gradients = new ArrayList<>();
        private int rows;

        private Run(int capacity) {
            this.inputs = new float[capacity * in()];
            for (Linear layer : layers) {
                outputs.add(new float[capacity * layer.out()]);
                gradients.add(new float[capacity * layer.out()]);
            }
        }

        /// The inputs, to be written before each forward call.
        float[] inputs() {
            return inputs;
        }

        /// The outputs of the last forward call.
        float[] outputs() {
            return outputs.getLast();
        }

        /// The gradient of the outputs, to be added to between a forward and a backward call.
        float[] outputGradient() {
            return gradients.getLast();
        }

        void forward(float[] weights, int count) {
            rows = count;
            float[] x = inputs;
            for (int i = 0; i < layers.size(); i++) {
                float[] y = outputs.get(i);
                layers.get(i).forward(weights, x, rows, y);
                if (hasRelu(i)) {
                    Relu.forward(y, rows * layers.get(i).out());
                }
                x = y;
            }
        }

        /// Clears the gradient of the outputs.
        void clearGradient() {
            Arrays.fill(outputGradient(), 0, rows * out(), 0);
        }

        /// Adds the gradient of the weights.
        void backward(float[] weights, float[] gradient) {
            for (int i = layers.size() - 1; i >= 0; i--) {
                Linear layer = layers.get(i);
                float[] dy = gradients.get(i);
                if (hasRelu(i)) {
                    Relu.backward(outputs.get(i), dy, rows * layer.out());
                }
                layer.backwardWeights(i == 0 ? inputs : outputs.get(i - 1), dy, rows, gradient);
                if (i > 0) {
                    float[] dx = gradients.get(i - 1);
                    Arrays.fill(dx, 0, rows * layer.in(), 0);
                    layer.backwardInputs(weights, dy, rows, dx);
                }
            }
        }
    }
}
