package io.gpusched.core.policy.filter;

import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Keeps a job with a deadline, or a replica of a pool, on the capacity that was chosen for it.
///
///     job-7 runs on demand   →   n1 (spot) is refused, n2 is not; a job without deadline may go to
///                                both
public final class OtherCapacity implements Filter {
    private static final Refusal NOT_SPOT =
            Refusal.untilFleet("deadline", "node is not spot capacity, which was chosen");
    private static final Refusal SPOT =
            Refusal.untilFleet("deadline", "node is spot capacity, on demand was chosen");

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        CapacityRule rule = shape.capacity();
        return switch (rule.kind()) {
            case ANY, NONE -> null;
            case SPOT -> rule.isSpot(node.facts().labels()) ? null : NOT_SPOT;
            case ON_DEMAND -> rule.isSpot(node.facts().labels()) ? SPOT : null;
        };
    }
}
