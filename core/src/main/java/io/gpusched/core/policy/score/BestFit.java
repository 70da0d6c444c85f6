package io.gpusched.core.policy.score;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers the node that is left with the fewest free GPUs, so that whole nodes stay free for jobs
/// that need them; among equals, the one left with the fewest free cores.
public final class BestFit implements Scorer {
    @Override
    public String name() {
        return "best-fit";
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        for (int i = 0; i < candidates.size(); i++) {
            var node = candidates.get(i).node();
            long taken = candidates.get(i).grant().mask();
            int left = Long.bitCount(node.freeGpus() & ~taken);
            int all = Math.max(1, node.facts().gpus().size());
            double cores =
                    (double) node.freeMilliCpu() / Math.max(1, node.facts().host().milliCpu());
            cost[i] = (left + 0.5 * cores) / (all + 1);
        }
    }
}
