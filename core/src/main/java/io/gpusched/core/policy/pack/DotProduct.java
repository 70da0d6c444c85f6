package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers the node whose free cores and GPUs are least aligned with the task's request, which
/// keeps the best-suited nodes for the next task.
public final class DotProduct implements Scorer {
    @Override
    public String name() {
        return "dot-product";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        double cpu = shape.host().milliCpu() / BalancedFit.MOST_MILLI_CPU;
        double gpu = shape.gpus().milliGpus() / BalancedFit.MOST_MILLI_GPUS;
        for (int i = 0; i < candidates.size(); i++) {
            RemainingCapacity remainingCapacity = RemainingCapacity.of(candidates.get(i).node());
            double cores = remainingCapacity.milliCpu / BalancedFit.MOST_MILLI_CPU * cpu;
            double gpus = remainingCapacity.total / BalancedFit.MOST_MILLI_GPUS * gpu;
            double aligned = (Math.min(1, cores) + Math.min(1, gpus)) / 2;
            cost[i] = (100 - (int) (100 * (1 - aligned))) / 100.0;
        }
    }
}
