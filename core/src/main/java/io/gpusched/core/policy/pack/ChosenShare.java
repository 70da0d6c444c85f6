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

/// Lets a rule choose the GPU for a single share; everything else is left to [InsideNode].
public final class ChosenShare implements Fitter {
    /// Which of the GPUs that could take a share takes it.
    public interface Choice {
        @Nullable Grant choose(Shape shape, Shares.Offer offer, NodeView node, ClusterView cluster);
    }

    private final Choice choice;
    private final InsideNode inside;
    private final boolean avoidHot;

    public ChosenShare(Choice choice, boolean avoidHot) {
        this.choice = choice;
        this.avoidHot = avoidHot;
        this.inside = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return inside.fit(shape, node, cluster);
        }
        Shares.Offer offer = Shares.offer(shape, share, node, avoidHot ? node.hotGpus() : 0);
        return offer.gpus() == 0 ? null : choice.choose(shape, offer, node, cluster);
    }
}
