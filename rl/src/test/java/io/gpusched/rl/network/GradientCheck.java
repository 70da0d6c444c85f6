package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.scenario.SeededRandom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Compares a gradient with differences of the function itself.
///
/// Differences are taken over two step sizes and to both sides. Where they disagree, a ReLU
/// switches nearby, the difference says nothing, and the weight is skipped; most weights must
/// remain.
final class GradientCheck {
    private static final float STEP = 2e-3f;
    private static final double TOLERANCE = 0.02;
    private static final double SCALE_FLOOR = 1e-2;
    private static final double LEAST_COMPARED = 0.8;

    private GradientCheck() {}

    /// @param loss a function of the weights
    static void check(float[] weights, float[] gradient, ToDoubleFunction<float[]> loss) {
        var wrong = new ArrayList<String>();
        int compared = 0;
        for (int i = 0; i < weights.length; i++) {
            double near = difference(weights, i, -STEP, STEP, loss);
            double far = difference(weights, i, -2 * STEP, 2 * STEP, loss);
            double left = difference(weights, i, -STEP, 0, loss);
            double right = difference(weights, i, 0, STEP, loss);
            double scale = Math.max(SCALE_FLOOR, Math.max(Math.abs(near), Math.abs(gradient[i])));
            if (Math.abs(near - far) > TOLERANCE / 2 * scale
                    || Math.abs(left - right) > 2 * TOLERANCE * scale) {
                continue;
            }
            compared++;
            if (Math.abs(near - gradient[i]) > TOLERANCE * scale) {
                wrong.add("weight " + i + ": gradient " + gradient[i] + ", difference " + near);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan((int) (LEAST_COMPARED * weights.length));
    }

    private static double difference(
            float[] weights, int at, float from, float to, ToDoubleFunction<float[]> loss) {
        float kept = weights[at];
        float below = kept + from;
        float above = kept + to;
        weights[at] = below;
        double less = loss.applyAsDouble(weights);
        weights[at] = above;
        double more = loss.applyAsDouble(weights);
        weights[at] = kept;
        return (more - less) / ((double) above - below);
    }

    /// Checks a network on random observations, with a random linear function of its outputs as
    /// the loss.
    static void check(NeuralNetwork network, List<TestObservation> seen, long seed) {
        var random = new SeededRandom(seed);
        var weights = numbers(network.layout().size(), 0.7f, random);
        var batch = new Batch(network, seen);
        var factors = new float[seen.size() * network.outputs()];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = batch.counts(i) ? (float) (2 * random.unit() - 1) : 0;
        }
        batch.forward(weights);
        var gradient = new float[weights.length];
        batch.pass.backward(weights, factors, gradient);
        check(weights, gradient, each -> batch.loss(each, factors));
    }

    /// Numbers from -`most` to `most`.
    static float[] numbers(int count, float most, SeededRandom random) {
        var numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) (most * (2 * random.unit() - 1));
        }
        return numbers;
    }

    /// Several observations in the form that a pass takes.
    static final class Batch {
        final NeuralNetwork.Pass pass;
        final float[] outputs;
        private final NeuralNetwork network;
        private final float[] observations;
        private final boolean[] allowed;
        private final int count;

        Batch(NeuralNetwork network, List<TestObservation> seen) {
            this.network = network;
            this.count = seen.size();
            this.pass = network.pass();
            this.outputs = new float[count * network.outputs()];
            this.observations = new float[count * network.observed()];
            int actions = seen.getFirst().allowed().length;
            this.allowed = new boolean[count * actions];
            for (int i = 0; i < count; i++) {
                var each = seen.get(i);
                System.arraycopy(
                        each.numbers(),
                        0,
                        observations,
                        i * network.observed(),
                        network.observed());
                System.arraycopy(each.allowed(), 0, allowed, i * actions, actions);
            }
        }

        boolean counts(int output) {
            return network.outputs() == 1 || allowed[output];
        }

        void forward(float[] weights) {
            pass.forward(weights, observations, allowed, count, outputs);
        }

        double loss(float[] weights, float[] factors) {
            forward(weights);
            double loss = 0;
            for (int i = 0; i < outputs.length; i++) {
                loss += counts(i) ? (double) factors[i] * outputs[i] : 0;
            }
            return loss;
        }
    }
}
