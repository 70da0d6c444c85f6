package io.gpusched.lab.order;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.sim.scenario.SeededRandom;

/// The network that training begins with. It is exactly a simple rule: the job that would end
/// first if it went next, where small jobs count as shorter. The two features that it uses are
/// at least 0, so a ReLU passes their weighted sum on unchanged, through one hidden unit. The other
/// units have random inputs and no output yet.
///
///     score = -(log time until it ends + 0.3 log share)
final class InitialOrder {
    private static final int UNTIL_END = 17;
    private static final int SHARE = 5;
    private static final float OF_SHARE = 0.3f;

    private InitialOrder() {}

    /// The model of these weights, whose number says how many hidden units it has.
    ///
    /// @param encoder the version of the encoder
    static ScoreModel model(String encoder, float[] weights) {
        int hidden = (weights.length - 1) / (HeadEncoder.FEATURES + 2);
        return new ScoreModel(encoder, new int[] {HeadEncoder.FEATURES, hidden, 1}, weights);
    }

    static float[] weights(long seed, int hidden) {
        var weights = new float[ScoreModel.weightsOf(HeadEncoder.FEATURES, hidden, 1)];
        random(SeededRandom.of(seed, "weights", 0), weights, hidden);
        weights[UNTIL_END * hidden] = 1;
        weights[SHARE * hidden] = OF_SHARE;
        weights[(HeadEncoder.FEATURES + 1) * hidden] = -1;
        return weights;
    }

    /// Random weights of the hidden layer, except those of its first unit.
    private static void random(SeededRandom random, float[] weights, int hidden) {
        double spread = Math.sqrt(1.0 / HeadEncoder.FEATURES);
        for (int input = 0; input < HeadEncoder.FEATURES; input++) {
            for (int unit = 1; unit < hidden; unit++) {
                weights[input * hidden + unit] = (float) (spread * random.normal());
            }
        }
    }
}
