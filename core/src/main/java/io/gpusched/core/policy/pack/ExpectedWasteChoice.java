package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.fit.Shares;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// The GPU on which the least is expected to be wasted, the first among equals.
///
/// @param scorer whose tables are shared
public record ExpectedWasteChoice(ExpectedWaste scorer) implements ChosenShare.Choice {
    @Override
    public @Nullable Grant choose(
            Shape shape, Shares.Offer offer, NodeView node, ClusterView cluster) {
        Waste waste = scorer.waste(cluster);
        Left left = Left.of(node);
        Grant best = null;
        double least = Double.POSITIVE_INFINITY;
        for (long rest = offer.gpus(); rest != 0; rest &= rest - 1) {
            Grant grant = offer.on(Long.numberOfTrailingZeros(rest));
            left.take(grant, shape.host().milliCpu());
            double wasted = waste.of(left);
            left.giveBack(grant, shape.host().milliCpu());
            if (wasted < least) {
                least = wasted;
                best = grant;
            }
        }
        return best;
    }
}
