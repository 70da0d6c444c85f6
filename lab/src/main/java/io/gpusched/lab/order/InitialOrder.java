package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.SeededRandom;

/// The network that training begins with. It is exactly a simple rule: jobs that run short, fit
/// soon and are small go first. All features are at least 0, so a ReLU passes their weighted sum on
/// unchanged, through one hidden unit. A second unit makes small jobs count more where sequences
/// backfill or jobs use GPUs. The other units have random inputs and no output yet.
///
///     score = -(log runtime + log time until it fits + 0.3 log share [+ 0.5 log share])
final class InitialOrder {
    private static final int RUNTIME = 1;
    private static final int SHARE = 5;
    private static final int UNTIL_FITS = 18;
    private static final int USES_GPUS = 12;
    private static final float OF_SHARE = 0.3f;
    private static final float MORE_OF_SHARE = 0.5f;

    private InitialOrder() {}

    /// The model of these weights, whose number says how many hidden units it has.
    static ScoreModel model(float[] weights) {
        int hidden = (weights.length - 1) / (HeadEncoder.FEATURES + 2);
        return new ScoreModel(
                HeadEncoder.VERSION, new int[] {HeadEncoder.FEATURES, hidden, 1}, weights);
    }

    static float[] weights(long seed, int hidden) {
        var weights = new float[ScoreModel.weightsOf(HeadEncoder.FEATURES, hidden, 1)];
        random(SeededRandom.of(seed, "weights", 0), weights, hidden);
        weights[RUNTIME * hidden] = 1;
        weights[UNTIL_FITS * hidden] = 1;
        weights[SHARE * hidden] = OF_SHARE;
        int biases = HeadEncoder.FEATURES * hidden;
        int outputs = biases + hidden;
        weights[outputs] = -1;
        if (hidden > 1) {
            weights[SHARE * hidden + 1] = 1;
            weights[USES_GPUS * hidden + 1] = 1;
            weights[biases + 1] = -1;
            weights[outputs + 1] = -MORE_OF_SHARE;
        }
        return weights;
    }

    /// Random weights of the hidden layer, except those of its first two units.
    private static void random(SeededRandom random, float[] weights, int hidden) {
        double spread = Math.sqrt(1.0 / HeadEncoder.FEATURES);
        for (int input = 0; input < HeadEncoder.FEATURES; input++) {
            for (int unit = 2; unit < hidden; unit++) {
                weights[input * hidden + unit] = (float) (spread * random.normal());
            }
        }
    }
}
