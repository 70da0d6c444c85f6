package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Refuses nodes without the labels a job selects by.
public final class WrongLabels implements Filter {
    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        return node.facts().labels().containAll(shape.nodes())
                ? null
                : Refusal.untilFleet("node-selector", "node lacks labels " + shape.nodes());
    }
}
