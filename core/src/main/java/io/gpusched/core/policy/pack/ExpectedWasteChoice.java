package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.fit.ShareFitter;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

/// Chooses the GPU with the lowest expected waste, the first among equals.
///
/// @param scorer whose tables are shared
public record ExpectedWasteChoice(ExpectedWaste scorer) implements ShareChoiceFitter.Choice {
    @Override
    public @Nullable Grant choose(
            Shape shape, ShareFitter.Offer offer, NodeView node, ClusterView cluster) {
        WasteModel wasteModel = scorer.waste(cluster);
        RemainingCapacity remainingCapacity = RemainingCapacity.of(node);
        Grant best = null;
        double least = Double.POSITIVE_INFINITY;
        for (long rest = offer.gpus(); rest != 0; rest &= rest - 1) {
            Grant grant = offer.on(Long.numberOfTrailingZeros(rest));
            remainingCapacity.take(grant, shape.host().milliCpu());
            double wasted = wasteModel.of(remainingCapacity);
            remainingCapacity.giveBack(grant, shape.host().milliCpu());
            if (wasted < least) {
                least = wasted;
                best = grant;
            }
        }
        return best;
    }
}
