package io.gpusched.core.learn.runtime;

import io.gpusched.core.model.Features;

/// Features as numbers on which runtimes may depend: logarithms, so that "twice the batch takes 1.8
/// times as long" is one slope. An unknown feature is NaN, and is ignored.
final class NumericFeatures {
    static final int COUNT = 4;

    private NumericFeatures() {}

    static float[] of(Features features) {
        return new float[] {
            log(features.gpus()),
            log(features.memoryGb()),
            log(features.millionParameters()),
            log(features.batchSize())
        };
    }

    /// The features that have these traits.
    static Features features(ModelImage.Run run) {
        return new Features(
                (int) Math.round(value(run.gpus())),
                value(run.memory()),
                value(run.parameters()),
                value(run.batch()));
    }

    private static double value(float log) {
        return Float.isNaN(log) ? 0 : StrictMath.exp(log);
    }

    private static float log(double value) {
        return value > 0 && value < 1e30 ? (float) StrictMath.log(value) : Float.NaN;
    }

    /// How much longer work takes with traits `to` than with those at `offset` of `from`.
    static double shift(double[] slopes, float[] to, float[] from, int offset) {
        double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            double difference = to[i] - from[offset + i];
            if (slopes[i] != 0 && !Double.isNaN(difference)) {
                sum += slopes[i] * difference;
            }
        }
        return sum;
    }
}
