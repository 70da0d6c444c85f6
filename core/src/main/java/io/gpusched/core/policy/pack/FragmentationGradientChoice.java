package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.fit.ShareFitter;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

/// Chooses the GPU with the most points by [FragmentationGradient], the first among equals.
///
/// @param scorer whose sums are shared
public record FragmentationGradientChoice(FragmentationGradient scorer)
        implements ShareChoiceFitter.Choice {
    @Override
    public @Nullable Grant choose(
            Shape shape, ShareFitter.Offer offer, NodeView node, ClusterView cluster) {
        Fragmentation fragmentation = scorer.fragments(cluster);
        RemainingCapacity remainingCapacity = RemainingCapacity.of(node);
        double before = scorer.before(node, remainingCapacity, fragmentation);
        Grant best = null;
        int most = -1;
        for (long rest = offer.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (sameAsEarlier(remainingCapacity, offer.gpus(), gpu)) {
                continue;
            }
            Grant grant = offer.on(gpu);
            remainingCapacity.take(grant, shape.host().milliCpu());
            int points = FragmentationGradient.points(before, fragmentation.of(remainingCapacity));
            remainingCapacity.giveBack(grant, shape.host().milliCpu());
            if (points > most) {
                most = points;
                best = grant;
            }
        }
        return best;
    }

    /// A GPU equal to an earlier one would get the same points and lose the tie.
    private static boolean sameAsEarlier(
            RemainingCapacity remainingCapacity, long fitting, int gpu) {
        for (int other = 0; other < gpu; other++) {
            if ((fitting >>> other & 1) != 0
                    && remainingCapacity.milli[other] == remainingCapacity.milli[gpu]
                    && remainingCapacity
                            .gpus
                            .get(other)
                            .model()
                            .equals(remainingCapacity.gpus.get(gpu).model())) {
                return true;
            }
        }
        return false;
    }
}
