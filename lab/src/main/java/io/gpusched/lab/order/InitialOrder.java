package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.SeededRandom;

/// The network that training begins with. It is exactly a simple rule: jobs that run short, fit soon
/// and are small go first. All features are at least 0, so a ReLU passes their weighted sum on
/// unchanged, through one hidden unit. The other units have random inputs and no output yet.
///
///     score = -(log runtime + log time until it fits + 0.3 log share)
final class InitialOrder {
    private static final int HIDDEN = 16;
    private static final int[] SIZES = {HeadEncoder.FEATURES, HIDDEN, 1};
    private static final int RUNTIME = 1;
    private static final int SHARE = 5;
    private static final int UNTIL_FITS = 18;
    private static final float OF_SHARE = 0.3f;

    private InitialOrder() {}

    static ScoreModel model(float[] weights) {
        return new ScoreModel(HeadEncoder.VERSION, SIZES, weights);
    }

    static float[] weights(long seed) {
        var weights = new float[ScoreModel.weightsOf(SIZES)];
        SeededRandom random = SeededRandom.of(seed, "weights", 0);
        random(random, weights, HeadEncoder.FEATURES);
        weights[RUNTIME * HIDDEN] = 1;
        weights[UNTIL_FITS * HIDDEN] = 1;
        weights[SHARE * HIDDEN] = OF_SHARE;
        weights[(HeadEncoder.FEATURES + 1) * HIDDEN] = -1;
        return weights;
    }

    /// Random weights of the hidden layer, except those of its first unit.
    private static void random(SeededRandom random, float[] weights, int inputs) {
        double spread = Math.sqrt(1.0 / inputs);
        for (int input = 0; input < inputs; input++) {
            for (int unit = 1; unit < HIDDEN; unit++) {
                weights[input * HIDDEN + unit] = (float) (spread * random.normal());
            }
        }
    }
}
