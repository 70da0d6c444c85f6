package io.gpusched.core.place;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.WeightedScorer;

import java.util.List;

/// How much each scorer counts for a job: by the policy's weights, except that a job may give some
/// scorers a part of the whole score. What the policy's other scorers count among each other stays.
///
///     policy            best-fit 30 · cost 10 · data-locality 10
///     job: locality 50 %   30          10          40
///
/// Parts of more than 90 percent together are made smaller, so that the other scorers still decide
/// between nodes that are equally near.
final class JobWeights {
    private static final int MOST_PERCENT = 90;

    private final List<WeightedScorer> scorers;
    private final double[] own;
    private final int[] percents;
    private final double[] changed;

    JobWeights(List<WeightedScorer> scorers) {
        this.scorers = scorers;
        this.own = scorers.stream().mapToDouble(WeightedScorer::weight).toArray();
        this.percents = new int[own.length];
        this.changed = new double[own.length];
    }

    /// The weight of each scorer; the array is used again for the next job.
    double[] of(Job job) {
        int given = 0;
        double others = 0;
        for (int s = 0; s < own.length; s++) {
            percents[s] = scorers.get(s).scorer().percent(job);
            given += percents[s];
            others += percents[s] == 0 ? own[s] : 0;
        }
        if (given == 0) {
            return own;
        }
        double shown = Math.min(given, MOST_PERCENT);
        double whole = others == 0 ? 1 : others / (100 - shown);
        for (int s = 0; s < own.length; s++) {
            double part = percents[s] * (shown / given) * whole;
            changed[s] = percents[s] == 0 ? own[s] : Math.max(0.01, Math.round(part * 100) / 100.0);
        }
        return changed;
    }
}
