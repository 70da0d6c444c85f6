package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers nodes that already run tasks, so that idle ones can sleep.
///
///     a node with tasks, one without   →   0, 1
public final class AwakeNodes implements Scorer {
    @Override
    public String name() {
        return "stay-awake";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        for (int i = 0; i < candidates.size(); i++) {
            cost[i] = candidates.get(i).node().tasks() == 0 ? 1 : 0;
        }
    }
}
