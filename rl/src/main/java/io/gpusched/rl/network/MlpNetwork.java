package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

/// A network of linear layers over the whole observation: a policy with one output per action, or a
/// value network with one output.
///
///     210 ──▶ 128 ──▶ 128 ──▶ 51 logits, or 1 value
public final class MlpNetwork implements NeuralNetwork {
    private static final int HIDDEN = 128;
    private static final int CAPACITY = 64;
    private static final double POLICY_GAIN = 0.01;

    private final WeightLayout layout = new WeightLayout();
    private final Perceptron perceptron;
    private final double lastGain;

    MlpNetwork(double lastGain, int... sizes) {
        this.perceptron = new Perceptron(layout, "mlp", false, sizes);
        this.lastGain = lastGain;
    }

    /// A policy whose first choices are nearly uniform.
    public static MlpNetwork policy(int observed, int actions) {
        return new MlpNetwork(POLICY_GAIN, observed, HIDDEN, HIDDEN, actions);
    }

    public static MlpNetwork value(int observed) {
        return new MlpNetwork(1, observed, HIDDEN, HIDDEN, 1);
    }

    @Override
    public WeightLayout layout() {
        return layout;
    }

    @Override
    public int observed() {
        return perceptron.in();
    }

    @Override
    public int outputs() {
        return perceptron.out();
    }

    @Override
    public void initialise(float[] weights, SeededRandom random) {
        new InitialWeights(weights, random).orthogonal(perceptron, lastGain);
    }

    @Override
    public Pass pass() {
        return new MlpPass();
    }

    private final class MlpPass implements Pass {
        private final Perceptron.Run run = perceptron.run(CAPACITY);
        private int count;

        @Override
        public int capacity() {
            return CAPACITY;
        }

        @Override
        public void forward(
                float[] weights,
                float[] observations,
                boolean[] allowed,
                int observed,
                float[] outputs) {
            count = observed;
            System.arraycopy(observations, 0, run.inputs(), 0, count * observed());
            run.forward(weights, count);
            System.arraycopy(run.outputs(), 0, outputs, 0, count * outputs());
        }

        @Override
        public void backward(float[] weights, float[] outputGradient, float[] gradient) {
            System.arraycopy(outputGradient, 0, run.outputGradient(), 0, count * outputs());
            run.backward(weights, gradient);
        }
    }
}
