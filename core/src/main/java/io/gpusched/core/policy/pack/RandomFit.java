package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.fit.InsideNode;
import io.gpusched.core.policy.fit.Shares;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Any GPU that could take the share, by chance; everything else is left to [InsideNode].
public final class RandomFit implements Fitter {
    private final long seed;
    private final InsideNode inside;
    private final boolean avoidHot;

    public RandomFit(long seed, boolean avoidHot) {
        this.seed = seed;
        this.avoidHot = avoidHot;
        this.inside = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return inside.fit(shape, node, cluster);
        }
        Shares.Offer offer = Shares.offer(shape, share, node, avoidHot ? node.hotGpus() : 0);
        long fitting = offer.gpus();
        if (fitting == 0) {
            return null;
        }
        long state = node.index() * 31L + node.tasks() * 1_000_003L + node.freeMilliCpu() * 8191;
        long drawn = RandomNode.mix(seed + state);
        int skip = (int) Long.remainderUnsigned(drawn, Long.bitCount(fitting));
        for (; skip > 0; skip--) {
            fitting &= fitting - 1;
        }
        return offer.on(Long.numberOfTrailingZeros(fitting));
    }
}
