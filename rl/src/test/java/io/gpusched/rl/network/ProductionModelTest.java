package io.gpusched.rl.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.policy.learned.ForwardPass;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.SeededRandom;

import org.junit.jupiter.api.Test;

/// The model that production runs computes what the network computed in training, bit for bit.
final class ProductionModelTest {
    private static final int ROWS = 64;

    @Test
    void aModelGivesTheScoresOfTheTrainedNetwork() {
        for (int seed = 1; seed <= 20; seed++) {
            var random = new SeededRandom(seed);
            int[] sizes = {1 + random.between(0, 40), 32, random.between(1, 33), 1};
            var layout = new WeightLayout();
            var perceptron = new Perceptron(layout, "score", false, sizes);
            var weights = new float[layout.size()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = (float) (random.between(-1000, 1000) / 700.0);
            }
            var run = perceptron.run(ROWS);
            var model = new ScoreModel("test", sizes, weights);
            ForwardPass pass = model.forwardPass(ROWS);
            for (int i = 0; i < ROWS * sizes[0]; i++) {
                float value = random.chance(0.3) ? 0 : (float) (random.between(0, 999) / 997.0);
                run.inputs()[i] = value;
                pass.inputs()[i] = value;
            }
            run.forward(weights, ROWS);
            var scores = new float[ROWS];
            pass.scores(ROWS, scores);
            for (int row = 0; row < ROWS; row++) {
                assertThat(Float.floatToRawIntBits(scores[row]))
                        .as("seed %s, row %s", seed, row)
                        .isEqualTo(Float.floatToRawIntBits(run.outputs()[row]));
            }
        }
    }
}
