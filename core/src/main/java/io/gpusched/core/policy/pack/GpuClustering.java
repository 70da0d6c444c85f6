package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers nodes that already run tasks of the same size, so that sizes do not mix.
public final class GpuClustering implements Scorer {
    @Override
    public String name() {
        return "gpu-clustering";
    }

    @Override
    public boolean local() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        for (int i = 0; i < candidates.size(); i++) {
            NodeView node = candidates.get(i).node();
            cost[i] = (100 - points(shape, node, cluster)) / 100.0;
        }
    }

    private static int points(Shape shape, NodeView node, ClusterView cluster) {
        long own = size(shape);
        if (own == 0) {
            return 0;
        }
        long sizes = 0;
        for (JobId id : node.jobs()) {
            Job job = cluster.job(id);
            if (job != null) {
                for (Role role : job.spec().roles()) {
                    sizes |= size(role.shape());
                }
            }
        }
        int base = Math.max(0, 25 * (8000 - RemainingCapacity.of(node).total) / 8000);
        if ((sizes & own) != 0) {
            return sizes == own ? base + 75 : base + 50;
        }
        return sizes == 0 ? base + 25 : base;
    }

    /// One bit for each size: shares, one GPU, two GPUs, …; none for tasks without GPUs.
    private static long size(Shape shape) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> 0;
            case GpuRequest.Whole whole -> 1L << Math.min(whole.count(), Long.SIZE - 1);
            case GpuRequest.Share share -> 1;
            case GpuRequest.Slice slice -> 1;
        };
    }
}
