package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

/// A value network over the features of the state that [ScoreNetwork] uses too.
///
///     features of the state ──▶ 64 ──▶ 64 ──▶ value
public final class StateNetwork implements NeuralNetwork {
    private static final int CAPACITY = 64;

    private final WeightLayout layout = new WeightLayout();
    private final ActionEncoder encoder;
    private final Perceptron perceptron;

    public StateNetwork(ActionEncoder encoder, int hidden) {
        this.encoder = encoder;
        this.perceptron =
                new Perceptron(layout, "value", false, encoder.stateFeatures(), hidden, hidden, 1);
    }

    @Override
    public WeightLayout layout() {
        return layout;
    }

    @Override
    public int observed() {
        return encoder.observed();
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public void initialise(float[] weights, SeededRandom random) {
        new InitialWeights(weights, random).orthogonal(perceptron, 1);
    }

    @Override
    public Pass pass() {
        return new StatePass();
    }

    private final class StatePass implements Pass {
        private final Perceptron.Run run = perceptron.run(CAPACITY);
        private int rows;

        @Override
        public int capacity() {
            return CAPACITY;
        }

        @Override
        public void forward(
                float[] weights,
                float[] observations,
                boolean[] allowed,
                int count,
                float[] outputs) {
            rows = count;
            for (int row = 0; row < rows; row++) {
                encoder.encodeState(observations, row * observed(), run.inputs(), row);
            }
            run.forward(weights, rows);
            System.arraycopy(run.outputs(), 0, outputs, 0, rows);
        }

        @Override
        public void backward(float[] weights, float[] outputGradient, float[] gradient) {
            System.arraycopy(outputGradient, 0, run.outputGradient(), 0, rows);
            run.backward(weights, gradient);
        }
    }
}
