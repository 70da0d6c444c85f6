package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

import java.util.List;

/// Starting weights of linear layers: orthogonal matrices, so that a layer neither shrinks nor
/// grows what passes through it (Saxe, McClelland and Ganguli 2014). Biases start at 0.
final class InitialWeights {
    /// Makes up for the half that a ReLU removes.
    static final double RELU_GAIN = Math.sqrt(2);

    private final float[] weights;
    private final SeededRandom random;

    InitialWeights(float[] weights, SeededRandom random) {
        this.weights = weights;
        this.random = random;
    }

    void orthogonal(Perceptron perceptron, double lastGain) {
        List<Linear> layers = perceptron.layers();
        for (int i = 0; i < layers.size(); i++) {
            orthogonal(layers.get(i), i == layers.size() - 1 ? lastGain : RELU_GAIN);
        }
    }

    void orthogonal(Linear layer, double gain) {
        boolean tall = layer.in() >= layer.out();
        int count = tall ? layer.out() : layer.in();
        int length = tall ? layer.in() : layer.out();
        double[][] vectors = orthonormal(count, length);
        for (int i = 0; i < layer.in(); i++) {
            for (int j = 0; j < layer.out(); j++) {
                double each = tall ? vectors[j][i] : vectors[i][j];
                weights[layer.weights().at() + i * layer.out() + j] = (float) (gain * each);
            }
        }
    }

    /// Random vectors, made orthogonal to those before by the Gram-Schmidt process.
    private double[][] orthonormal(int count, int length) {
        var vectors = new double[count][length];
        for (int i = 0; i < count; i++) {
            double[] vector = vectors[i];
            for (int k = 0; k < length; k++) {
                vector[k] = normal();
            }
            for (int j = 0; j < i; j++) {
                double along = dot(vector, vectors[j]);
                for (int k = 0; k < length; k++) {
                    vector[k] -= along * vectors[j][k];
                }
            }
            double norm = Math.sqrt(dot(vector, vector));
            for (int k = 0; k < length; k++) {
                vector[k] /= norm;
            }
        }
        return vectors;
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    /// One number from a bell curve, by the method of Box and Muller.
    private double normal() {
        double radius = Math.sqrt(-2 * StrictMath.log(1 - random.unit()));
        return radius * StrictMath.cos(2 * Math.PI * random.unit());
    }
}
