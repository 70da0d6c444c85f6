package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers GPUs that are in use already, then nodes that are, and only then an idle node.
public final class GpuPacking implements Scorer {
    @Override
    public String name() {
        return "gpu-packing";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        for (int i = 0; i < candidates.size(); i++) {
            RemainingCapacity remainingCapacity = RemainingCapacity.of(candidates.get(i).node());
            cost[i] = (100 - points(remainingCapacity, candidates.get(i).grant())) / 100.0;
        }
    }

    private static int points(RemainingCapacity remainingCapacity, Grant grant) {
        if (grant.mask() == 0) {
            return 0;
        }
        int idle = 0;
        for (int milli : remainingCapacity.milli) {
            idle += milli == 1000 ? 1 : 0;
        }
        if (idle == remainingCapacity.milli.length) {
            return Math.max(33 - idle, idle);
        }
        int broken = 0;
        int tenths = 0;
        for (long rest = grant.mask(); rest != 0; rest &= rest - 1) {
            int milli = remainingCapacity.milli[Long.numberOfTrailingZeros(rest)];
            broken += milli == 1000 ? 1 : 0;
            tenths += milli * 100 / 1000;
        }
        return broken > 0 ? Math.max(50 - broken, 33) : Math.max(100 - tenths / 10, 50);
    }
}
