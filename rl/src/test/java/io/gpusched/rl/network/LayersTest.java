package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks each layer alone: its outputs against the definition, its gradients against differences.
final class LayersTest {
    private static final long SEED = 7;

    private final SeededRandom random = new SeededRandom(SEED);

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 4, 5", "9, 17, 6", "20, 8, 33"})
    void aLinearLayerIsTheProductOfItsMatrices(int rows, int in, int out) {
        var layout = new WeightLayout();
        var layer = Linear.withBias(layout, "layer", in, out);
        float[] weights = GradientCheck.numbers(layout.size(), 1, random);
        float[] x = sparse(rows * in);
        var y = new float[rows * out];
        layer.forward(weights, x, rows, y);
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < out; j++) {
                double expected = weights[layer.bias().at() + j];
                for (int i = 0; i < in; i++) {
                    expected += (double) x[row * in + i] * weights[i * out + j];
                }
                assertThat(y[row * out + j]).isEqualTo((float) expected, within(1e-5f));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 4, 5", "9, 17, 6", "20, 8, 33"})
    void theGradientOfALinearLayerIsRight(int rows, int in, int out) {
        var layout = new WeightLayout();
        var layer = Linear.withBias(layout, "layer", in, out);
        float[] weights = GradientCheck.numbers(layout.size(), 1, random);
        float[] x = sparse(rows * in);
        float[] dy = GradientCheck.numbers(rows * out, 1, random);
        var y = new float[rows * out];
        var gradient = new float[layout.size()];
        layer.backwardWeights(x, dy, rows, gradient);
        GradientCheck.check(
                weights,
                gradient,
                w -> {
                    layer.forward(w, x, rows, y);
                    return dot(y, dy);
                });
        var dx = new float[rows * in];
        layer.backwardInputs(weights, dy, rows, dx);
        GradientCheck.check(
                x,
                dx,
                each -> {
                    layer.forward(weights, each, rows, y);
                    return dot(y, dy);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 13})
    void theGradientOfALayerNormIsRight(int width) {
        int rows = 4;
        var layout = new WeightLayout();
        var norm = new LayerNorm(layout, "norm", width);
        float[] weights = GradientCheck.numbers(layout.size(), 1, random);
        float[] x = GradientCheck.numbers(rows * width, 2, random);
        float[] factors = GradientCheck.numbers(rows * width, 1, random);
        var normal = new float[rows * width];
        var deviation = new float[rows];
        var y = new float[rows * width];
        norm.forward(weights, x, rows, normal, deviation, y);
        float[] dx = factors.clone();
        var gradient = new float[layout.size()];
        norm.backward(weights, normal, deviation, rows, dx, gradient);
        GradientCheck.check(
                weights,
                gradient,
                w -> {
                    norm.forward(w, x, rows, normal, deviation, y);
                    return dot(y, factors);
                });
        GradientCheck.check(
                x,
                dx,
                each -> {
                    norm.forward(weights, each, rows, normal, deviation, y);
                    return dot(y, factors);
                });
    }

    @ParameterizedTest
    @CsvSource({"12, 5", "5, 12", "8, 8"})
    void startingWeightsAreOrthogonal(int in, int out) {
        var layout = new WeightLayout();
        var layer = Linear.withoutBias(layout, "layer", in, out);
        var weights = new float[layout.size()];
        new InitialWeights(weights, random).orthogonal(layer, 2);
        boolean tall = in >= out;
        int count = Math.min(in, out);
        for (int a = 0; a < count; a++) {
            for (int b = 0; b < count; b++) {
                double product = 0;
                for (int k = 0; k < Math.max(in, out); k++) {
                    product +=
                            tall
                                    ? (double) weights[k * out + a] * weights[k * out + b]
                                    : (double) weights[a * out + k] * weights[b * out + k];
                }
                assertThat(product).isEqualTo(a == b ? 4 : 0, within(1e-5));
            }
        }
    }

    /// Numbers of which about half are 0, as after a ReLU.
    private float[] sparse(int count) {
        float[] numbers = GradientCheck.numbers(count, 1, random);
        for (int i = 0; i < count; i++) {
            numbers[i] = random.chance(0.5) ? 0 : numbers[i];
        }
        return numbers;
    }

    private static double dot(float[] x, float[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += (double) x[i] * y[i];
        }
        return sum;
    }
}
