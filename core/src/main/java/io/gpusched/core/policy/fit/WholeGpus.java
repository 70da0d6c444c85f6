package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Takes whole GPUs with the lowest indices that are free, suit the request and, unless told
/// otherwise, are not hot.
public final class WholeGpus implements Fitter {
    private final boolean avoidHot;

    public WholeGpus(boolean avoidHot) {
        this.avoidHot = avoidHot;
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        return switch (shape.gpus()) {
            case GpuRequest.None none -> new Grant.None();
            case GpuRequest.Whole whole -> whole(shape, whole, node);
            case GpuRequest.Slice slice -> null;
            case GpuRequest.Share share -> null;
        };
    }

    private @Nullable Grant whole(Shape shape, GpuRequest.Whole wanted, NodeView node) {
        long usable = node.freeGpus() & ~(avoidHot ? node.hotGpus() : 0);
        if (Long.bitCount(usable) < wanted.count()) {
            return null;
        }
        long taken = 0;
        int left = wanted.count();
        for (long rest = usable; rest != 0 && left > 0; rest &= rest - 1) {
            Gpu gpu = node.facts().gpus().get(Long.numberOfTrailingZeros(rest));
            if (gpu.memoryMiB() >= wanted.memoryMiB() && shape.acceptsModel(gpu.model())) {
                taken |= Long.lowestOneBit(rest);
                left--;
            }
        }
        return left == 0 ? new Grant.Whole(taken) : null;
    }
}
