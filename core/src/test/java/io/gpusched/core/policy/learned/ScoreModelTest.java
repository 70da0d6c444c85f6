package io.gpusched.core.policy.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.core.model.Check;

import org.junit.jupiter.api.Test;

import java.util.Random;

final class ScoreModelTest {
    private static float[] random(Random random, int count) {
        var values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextInt(4) == 0 ? 0 : (float) random.nextGaussian();
        }
        return values;
    }

    /// One row, layer by layer, in double precision.
    private static double naive(int[] sizes, float[] weights, float[] rows, int row) {
        var x = new double[sizes[0]];
        for (int i = 0; i < x.length; i++) {
            x[i] = rows[row * sizes[0] + i];
        }
        int at = 0;
        for (int layer = 1; layer < sizes.length; layer++) {
            int out = sizes[layer];
            var y = new double[out];
            for (int j = 0; j < out; j++) {
                y[j] = weights[at + x.length * out + j];
                for (int i = 0; i < x.length; i++) {
                    y[j] += x[i] * weights[at + i * out + j];
                }
                y[j] = layer < sizes.length - 1 ? Math.max(0, y[j]) : y[j];
            }
            at += (x.length + 1) * out;
            x = y;
        }
        return x[0];
    }

    @Test
    void scoresAreThoseOfATextbookNetwork() {
        var random = new Random(1);
        for (int[] sizes :
                new int[][] {{30, 32, 32, 1}, {1, 1}, {5, 1}, {9, 3, 1}, {16, 8, 4, 2, 1}}) {
            float[] weights = random(random, ScoreModel.weightsOf(sizes));
            var model = new ScoreModel("test", sizes, weights);
            float[] rows = random(random, 20 * sizes[0]);
            ForwardPass pass = model.forwardPass(20);
            System.arraycopy(rows, 0, pass.inputs(), 0, rows.length);
            var scores = new float[20];
            pass.scores(20, scores);
            for (int row = 0; row < 20; row++) {
                assertThat((double) scores[row])
                        .isCloseTo(naive(sizes, weights, rows, row), within(1e-3));
            }
        }
    }

    /// A head gets the same bits wherever it is in the list.
    @Test
    void theScoreOfARowDoesNotDependOnTheOthers() {
        var random = new Random(2);
        int[] sizes = {12, 16, 1};
        var model = new ScoreModel("test", sizes, random(random, ScoreModel.weightsOf(sizes)));
        float[] row = random(random, 12);
        ForwardPass pass = model.forwardPass(3);
        var scores = new float[3];
        System.arraycopy(random(random, 36), 0, pass.inputs(), 0, 36);
        System.arraycopy(row, 0, pass.inputs(), 24, 12);
        pass.scores(3, scores);
        float last = scores[2];
        System.arraycopy(row, 0, pass.inputs(), 0, 12);
        pass.scores(1, scores);
        assertThat(scores[0]).isEqualTo(last);
    }

    @Test
    void theNameTellsModelsApart() {
        float[] weights = {1, 2, 3};
        var one = new ScoreModel("heads-1", new int[] {2, 1}, weights);
        float[] other = {1, 2, Math.nextUp(3f)};
        assertThat(one.name()).matches("heads-1\\.[0-9a-f]{16}");
        assertThat(new ScoreModel("heads-1", new int[] {2, 1}, weights).name())
                .isEqualTo(one.name());
        assertThat(new ScoreModel("heads-1", new int[] {2, 1}, other).name())
                .isNotEqualTo(one.name());
        assertThat(new ScoreModel("heads-2", new int[] {2, 1}, weights).digest())
                .isNotEqualTo(one.digest());
    }

    @Test
    void aModelKeepsItsOwnWeights() {
        float[] weights = {1, 2, 3};
        var model = new ScoreModel("heads-1", new int[] {2, 1}, weights);
        weights[0] = 9;
        model.weights()[1] = 9;
        assertThat(model.weights()).containsExactly(1, 2, 3);
    }

    @Test
    void whatIsNoModelIsRefused() {
        assertThatThrownBy(() -> new ScoreModel("heads-1", new int[] {2, 1}, new float[2]))
                .isInstanceOf(Check.Broken.class)
                .hasMessage("layers of [2, 1] need 3 weights, found 2");
        assertThatThrownBy(() -> new ScoreModel("heads-1", new int[] {2, 2}, new float[6]))
                .hasMessage("a model has one output, found 2");
        assertThatThrownBy(() -> new ScoreModel("a; b", new int[] {2, 1}, new float[3]))
                .hasMessageContaining("letters, digits, dots and dashes");
    }

    @Test
    void aModelOfAnotherEncoderHasNoRanker() {
        var other = new ScoreModel("heads-0", new int[] {2, 1}, new float[3]);
        assertThat(other.mismatch())
                .isEqualTo(
                        "the model was trained for encoder heads-0 with 2 features, and this"
                                + " program has encoder %s with %s",
                        HeadEncoder.VERSION, HeadEncoder.FEATURES);
        assertThatThrownBy(other::ranker).isInstanceOf(Check.Broken.class);
    }
}
