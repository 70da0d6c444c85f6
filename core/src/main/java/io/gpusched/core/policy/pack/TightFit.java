package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Takes the first idle GPUs for whole requests, and for a share the GPU with the least left that
/// still takes it, the first among equals.
public final class TightFit implements Fitter {
    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> new Grant.None();
            case GpuRequest.Whole whole -> whole(shape, whole, node);
            case GpuRequest.Share share -> share(shape, share, node);
            case GpuRequest.Slice slice -> null;
        };
    }

    private static @Nullable Grant whole(Shape shape, GpuRequest.Whole wanted, NodeView node) {
        long taken = 0;
        int left = wanted.count();
        for (long rest = node.freeGpus(); rest != 0 && left > 0; rest &= rest - 1) {
            Gpu gpu = node.facts().gpus().get(Long.numberOfTrailingZeros(rest));
            if (gpu.memoryMiB() >= wanted.memoryMiB() && shape.acceptsModel(gpu.model())) {
                taken |= Long.lowestOneBit(rest);
                left--;
            }
        }
        return left == 0 ? new Grant.Whole(taken) : null;
    }

    private static @Nullable Grant share(Shape shape, GpuRequest.Share wanted, NodeView node) {
        long taken = 0;
        for (int left = wanted.count(); left > 0; left--) {
            int tightest = -1;
            for (int gpu = 0; gpu < node.facts().gpus().size(); gpu++) {
                if ((taken >>> gpu & 1) == 0
                        && takes(shape, wanted, node, gpu)
                        && (tightest < 0 || node.leftMilli(gpu) < node.leftMilli(tightest))) {
                    tightest = gpu;
                }
            }
            if (tightest < 0) {
                return null;
            }
            taken |= 1L << tightest;
        }
        return new Grant.Shares(taken, wanted.milli(), wanted.memoryMiB());
    }

    /// Whether one more share fits onto the GPU.
    static boolean takes(Shape shape, GpuRequest.Share wanted, NodeView node, int gpu) {
        return node.leftMilli(gpu) >= wanted.milli()
                && node.leftMemoryMiB(gpu) >= wanted.memoryMiB()
                && shape.acceptsModel(node.facts().gpus().get(gpu).model());
    }
}
