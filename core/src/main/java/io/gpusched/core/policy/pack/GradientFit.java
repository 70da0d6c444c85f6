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

/// Chooses the GPU for a share as [Gradient] chooses the node, the first among equals. Everything
/// else is left to [InsideNode].
public final class GradientFit implements Fitter {
    private final Gradient scorer;
    private final InsideNode inside;
    private final boolean avoidHot;

    /// @param scorer whose sums are shared
    public GradientFit(Gradient scorer, boolean avoidHot) {
        this.scorer = scorer;
        this.avoidHot = avoidHot;
        this.inside = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return inside.fit(shape, node, cluster);
        }
        Fragments fragments = scorer.fragments(cluster);
        Left left = Left.of(node);
        double before = scorer.before(node, left, fragments);
        Grant best = null;
        int most = -1;
        Shares.Offer offer = Shares.offer(shape, share, node, avoidHot ? node.hotGpus() : 0);
        for (int gpu = 0; gpu < left.milli.length; gpu++) {
            if ((offer.gpus() >>> gpu & 1) == 0 || sameAsEarlier(left, offer.gpus(), gpu)) {
                continue;
            }
            Grant grant = offer.on(gpu);
            left.take(grant, shape.host().milliCpu());
            int points = Gradient.points(before, fragments.of(left));
            left.giveBack(grant, shape.host().milliCpu());
            if (points > most) {
                most = points;
                best = grant;
            }
        }
        return best;
    }

    /// A GPU like one before it would get the same points and lose the tie.
    private static boolean sameAsEarlier(Left left, long fitting, int gpu) {
        for (int other = 0; other < gpu; other++) {
            if ((fitting >>> other & 1) != 0
                    && left.milli[other] == left.milli[gpu]
                    && left.gpus.get(other).model().equals(left.gpus.get(gpu).model())) {
                return true;
            }
        }
        return false;
    }
}
