package io.gpusched.core.policy.score;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prefers the node with the most available: idle GPUs and their memory and, for MIG slices, free
/// slice positions; cores for a task without GPUs. Each is compared with the most that any
/// candidate has.
///
///     candidates with 8, 4 and 1 idle A100-80GB   →   cost 0, .5, .88
///
/// It spreads tasks, which suits services: each gets a quiet node and room to grow. To keep whole
/// nodes free, use best fit, or give this term little weight.
public final class Availability implements Scorer {
    private static final int SLICES = 0x7f;

    @Override
    public String name() {
        return "availability";
    }

    @Override
    public boolean likesRoom() {
        return true;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        int n = candidates.size();
        var memory = new long[n];
        double most = 1e-9;
        long mostMemory = 1;
        boolean memoryCounts =
                shape.gpus() instanceof GpuRequest.Whole
                        || shape.gpus() instanceof GpuRequest.Share;
        for (int i = 0; i < n; i++) {
            NodeView node = candidates.get(i).node();
            cost[i] = available(shape.gpus(), node);
            most = Math.max(most, cost[i]);
            if (memoryCounts) {
                memory[i] = idleMemory(node);
                mostMemory = Math.max(mostMemory, memory[i]);
            }
        }
        for (int i = 0; i < n; i++) {
            double units = cost[i] / most;
            cost[i] = memoryCounts ? 1 - (units + (double) memory[i] / mostMemory) / 2 : 1 - units;
        }
    }

    private static double available(GpuRequest wanted, NodeView node) {
        return switch (wanted) {
            case GpuRequest.None none -> node.freeMilliCpu();
            case GpuRequest.Whole whole -> Long.bitCount(node.freeGpus());
            case GpuRequest.Share share -> Long.bitCount(node.freeGpus()) + shares(node);
            case GpuRequest.Slice slice -> slices(node);
        };
    }

    private static double shares(NodeView node) {
        int milli = 0;
        for (long rest = node.sharedGpus(); rest != 0; rest &= rest - 1) {
            milli += node.leftMilli(Long.numberOfTrailingZeros(rest));
        }
        return milli / 1000.0;
    }

    private static int slices(NodeView node) {
        int free = 7 * Long.bitCount(node.freeGpus());
        for (long rest = node.slicedGpus(); rest != 0; rest &= rest - 1) {
            int taken = node.takenSlices(Long.numberOfTrailingZeros(rest));
            free += Integer.bitCount(~taken & SLICES);
        }
        return free;
    }

    private static long idleMemory(NodeView node) {
        List<Gpu> gpus = node.facts().gpus();
        long sum = 0;
        for (long rest = node.freeGpus(); rest != 0; rest &= rest - 1) {
            sum += gpus.get(Long.numberOfTrailingZeros(rest)).memoryMiB();
        }
        for (long rest = node.sharedGpus(); rest != 0; rest &= rest - 1) {
            sum += node.leftMemoryMiB(Long.numberOfTrailingZeros(rest));
        }
        return sum;
    }
}
