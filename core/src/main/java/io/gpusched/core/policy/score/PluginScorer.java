package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.PreferredLabel;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.Arrays;
import java.util.List;

/// Wraps a scorer from a plug-in: it gets the candidates and an array of its own, costs outside 0
/// to 1 are clamped, and NaN is neutral.
public final class PluginScorer implements Scorer {
    private static final double NEUTRAL = 0.5;

    private final Scorer inner;
    private final String name;
    private final boolean likesRoom;

    public PluginScorer(Scorer inner) {
        this.inner = inner;
        this.name = inner.name();
        this.likesRoom = inner.likesRoom();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean likesRoom() {
        return likesRoom;
    }

    /// Preferred labels are optional: without them the scorer still rates the candidates.
    @Override
    public List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        try {
            return List.copyOf(inner.wishes(job, cluster));
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            return List.of();
        }
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        var own = new double[candidates.size()];
        Arrays.fill(own, NEUTRAL);
        inner.score(job, shape, List.copyOf(candidates), cluster, own);
        for (int i = 0; i < own.length; i++) {
            cost[i] = Double.isNaN(own[i]) ? NEUTRAL : Math.clamp(own[i], 0, 1);
        }
    }
}
