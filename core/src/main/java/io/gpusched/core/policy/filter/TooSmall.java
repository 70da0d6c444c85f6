package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes that do not have enough cores or memory even when they are idle.
public final class TooSmall implements Filter {
    /// The refusal of every node that is too small.
    public static final Refusal REFUSAL =
            Refusal.untilFleet("too-small", "node has too few cores or too little memory");

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        return shape.host().fitsIn(node.facts().host()) ? null : REFUSAL;
    }
}
