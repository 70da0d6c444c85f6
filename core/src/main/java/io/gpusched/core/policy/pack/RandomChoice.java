package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.fit.ShareFitter;
import io.gpusched.core.state.ClusterView;

/// Chooses a random GPU of those on which the share fits.
public record RandomChoice(long seed) implements ShareChoiceFitter.Choice {
    @Override
    public Grant choose(Shape shape, ShareFitter.Offer offer, NodeView node, ClusterView cluster) {
        long fitting = offer.gpus();
        long state = node.index() * 31L + node.tasks() * 1_000_003L + node.freeMilliCpu() * 8191;
        long drawn = RandomNode.mix(seed + state);
        int skip = (int) Long.remainderUnsigned(drawn, Long.bitCount(fitting));
        for (; skip > 0; skip--) {
            fitting &= fitting - 1;
        }
        return offer.on(Long.numberOfTrailingZeros(fitting));
    }
}
