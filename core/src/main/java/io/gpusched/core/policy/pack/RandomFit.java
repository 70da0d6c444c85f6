package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Any GPU that could take the share, by chance; everything else is left to [TightFit].
public final class RandomFit implements Fitter {
    private final long seed;
    private final TightFit tight = new TightFit();

    public RandomFit(long seed) {
        this.seed = seed;
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return tight.fit(shape, node, cluster);
        }
        long fitting = 0;
        for (int gpu = 0; gpu < node.facts().gpus().size(); gpu++) {
            fitting |= TightFit.takes(shape, share, node, gpu) ? 1L << gpu : 0;
        }
        if (fitting == 0) {
            return null;
        }
        long state = node.index() * 31L + node.tasks() * 1_000_003L + node.freeMilliCpu() * 8191;
        long drawn = RandomNode.mix(seed + state);
        int skip = (int) Long.remainderUnsigned(drawn, Long.bitCount(fitting));
        for (; skip > 0; skip--) {
            fitting &= fitting - 1;
        }
        return new Grant.Shares(Long.lowestOneBit(fitting), share.milli(), share.memoryMiB());
    }
}
