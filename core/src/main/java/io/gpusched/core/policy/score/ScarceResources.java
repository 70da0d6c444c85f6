package io.gpusched.core.policy.score;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Keeps GPU nodes free of tasks that need no GPU, and large GPUs free of tasks for which small
/// ones suffice.
public final class ScarceResources implements Scorer {
    @Override
    public String name() {
        return "spare-scarce";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        int most = 1;
        for (Candidate candidate : candidates) {
            most = Math.max(most, memory(candidate));
        }
        for (int i = 0; i < candidates.size(); i++) {
            cost[i] = (double) memory(candidates.get(i)) / most;
        }
    }

    private static int memory(Candidate candidate) {
        List<Gpu> gpus = candidate.node().facts().gpus();
        return gpus.isEmpty() ? 0 : gpus.getFirst().memoryMiB();
    }
}
