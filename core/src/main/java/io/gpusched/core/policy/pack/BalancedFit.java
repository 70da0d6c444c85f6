package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers the node with the least cores and GPUs left afterwards, each relative to the largest
/// node of the published experiment; more than that counts as that much.
public final class BalancedFit implements Scorer {
    @Override
    public String name() {
        return "balanced-fit";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        long cpu = shape.host().milliCpu();
        long gpu = shape.gpus().milliGpus();
        for (int i = 0; i < candidates.size(); i++) {
            RemainingCapacity remainingCapacity = RemainingCapacity.of(candidates.get(i).node());
            double cores = Math.min(1, (remainingCapacity.milliCpu - cpu) / MOST_MILLI_CPU);
            double gpus = Math.min(1, (remainingCapacity.total - gpu) / MOST_MILLI_GPUS);
            cost[i] = (100 - (int) (100 * (1 - 0.5 * cores - 0.5 * gpus))) / 100.0;
        }
    }

    static final double MOST_MILLI_CPU = 128_000.0;
    static final double MOST_MILLI_GPUS = 8000.0;
}
