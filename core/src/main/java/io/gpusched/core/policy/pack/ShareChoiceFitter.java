package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.policy.fit.ShareFitter;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

/// A fitter that lets a rule choose the GPU of a single share and leaves all other requests to
/// [DefaultFitter].
public final class ShareChoiceFitter implements Fitter {
    /// Chooses a GPU for a share out of those on which it fits.
    public interface Choice {
        @Nullable Grant choose(
                Shape shape, ShareFitter.Offer offer, NodeView node, ClusterView cluster);
    }

    private final Choice choice;
    private final DefaultFitter inside;
    private final boolean avoidHot;

    public ShareChoiceFitter(Choice choice, boolean avoidHot) {
        this.choice = choice;
        this.avoidHot = avoidHot;
        this.inside = new DefaultFitter(avoidHot, DefaultFitter.Whole.CONNECTED);
    }

    @Override
    public @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster) {
        if (!(shape.gpus() instanceof GpuRequest.Share share) || share.count() > 1) {
            return inside.fit(shape, node, cluster);
        }
        ShareFitter.Offer offer =
                ShareFitter.offer(shape, share, node, avoidHot ? node.hotGpus() : 0);
        return offer.gpus() == 0 ? null : choice.choose(shape, offer, node, cluster);
    }
}
