package io.gpusched.core.policy.pack;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.fit.Shares;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// The GPU that [Gradient] gives the most points, the first among equals.
///
/// @param scorer whose sums are shared
public record GradientChoice(Gradient scorer) implements ChosenShare.Choice {
    @Override
    public @Nullable Grant choose(
            Shape shape, Shares.Offer offer, NodeView node, ClusterView cluster) {
        Fragments fragments = scorer.fragments(cluster);
        Left left = Left.of(node);
        double before = scorer.before(node, left, fragments);
        Grant best = null;
        int most = -1;
        for (long rest = offer.gpus(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (sameAsEarlier(left, offer.gpus(), gpu)) {
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
