package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

/// A policy that scores each action by itself: a small network, shared by all actions, turns the
/// features of an action into its logit. The order of the jobs does not matter, and any number of
/// jobs can be scored, so it can also serve as an index rule.
///
///     features of one action ──▶ 32 ──▶ 32 ──▶ score
public final class ScoreNetwork implements NeuralNetwork {
    private static final int CAPACITY = 16;
    private static final double LAST_GAIN = 0.1;

    private final WeightLayout layout = new WeightLayout();
    private final ActionEncoder encoder;
    private final Perceptron perceptron;

    public ScoreNetwork(ActionEncoder encoder, int hidden) {
        this.encoder = encoder;
        this.perceptron =
                new Perceptron(layout, "score", false, encoder.features(), hidden, hidden, 1);
    }

    public ActionEncoder encoder() {
        return encoder;
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
        return encoder.actions();
    }

    @Override
    public void initialise(float[] weights, SeededRandom random) {
        new InitialWeights(weights, random).orthogonal(perceptron, LAST_GAIN);
    }

    @Override
    public Pass pass() {
        return new ScorePass();
    }

    private final class ScorePass implements Pass {
        private final Perceptron.Run run = perceptron.run(CAPACITY * outputs());

        /// Where the score of each row belongs.
        private final int[] output = new int[CAPACITY * outputs()];

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
            rows = 0;
            for (int i = 0; i < count; i++) {
                int at = i * outputs();
                encoder.encode(observations, i * observed(), allowed, at, run.inputs(), rows);
                for (int action = 0; action < outputs(); action++) {
                    if (allowed[at + action]) {
                        output[rows++] = at + action;
                    }
                }
            }
            run.forward(weights, rows);
            for (int row = 0; row < rows; row++) {
                outputs[output[row]] = run.outputs()[row];
            }
        }

        @Override
        public void backward(float[] weights, float[] outputGradient, float[] gradient) {
            for (int row = 0; row < rows; row++) {
                run.outputGradient()[row] = outputGradient[output[row]];
            }
            run.backward(weights, gradient);
        }
    }
}
