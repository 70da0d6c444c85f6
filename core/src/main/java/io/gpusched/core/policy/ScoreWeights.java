package io.gpusched.core.policy;

import org.jspecify.annotations.Nullable;

/// The weights of the five score terms. Only their proportions matter.
public record ScoreWeights(
        double availability, double topology, double modelCache, double cost, double dataLocality) {
    public static final ScoreWeights DEFAULT = new ScoreWeights(30, 25, 20, 15, 10);

    /// What is wrong with them, as a sentence; null when they are valid.
    public @Nullable String fault() {
        double[] all = {availability, topology, modelCache, cost, dataLocality};
        double sum = 0;
        for (double weight : all) {
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                return "expected weights of 0 or more, found " + weight + "; the nearest is 0";
            }
            sum += weight;
        }
        return sum > 0
                ? null
                : "expected at least one weight above 0, found only zeros; the usual ones are"
                      + " availability 30, topology 25, model cache 20, cost 15, data locality 10";
    }
}
