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

/// Chooses the GPU for a share so that the least is expected to be wasted, the first among equals.
/// Everything else is left to [InsideNode].
public final class ExpectedWasteFit implements Fitter {
    private final ExpectedWaste scorer;
    private final InsideNode inside;
    private final boolean avoidHot;

    /// @param scorer whose tables are shared
    public ExpectedWasteFit(ExpectedWaste scorer, boolean avoidHot) {
        this.scorer = scorer;
        this.avoidHot = avoidHot;
        this.inside = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return inside.fit(shape, node, cluster);
        }
        Waste waste = scorer.waste(cluster);
        Left left = Left.of(node);
        Grant best = null;
        double least = Double.POSITIVE_INFINITY;
        Shares.Offer offer = Shares.offer(shape, share, node, avoidHot ? node.hotGpus() : 0);
        for (int gpu = 0; gpu < left.milli.length; gpu++) {
            if ((offer.gpus() >>> gpu & 1) != 0) {
                Grant grant = offer.on(gpu);
                left.take(grant, shape.host().milliCpu());
                double wasted = waste.of(left);
                left.giveBack(grant, shape.host().milliCpu());
                if (wasted < least) {
                    least = wasted;
                    best = grant;
                }
            }
        }
        return best;
    }
}
