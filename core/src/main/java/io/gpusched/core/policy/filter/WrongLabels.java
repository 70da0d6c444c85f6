package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes without the labels that a job selects.
public final class WrongLabels implements Filter {
    /// The last refusal: often ten thousand nodes in a row lack the same labels.
    private record Cached(Labels wanted, Refusal refusal) {}

    private Cached cached = new Cached(Labels.NONE, refusal(Labels.NONE));

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        if (node.facts().labels().containAll(shape.nodes())) {
            return null;
        }
        Cached last = cached;
        if (!last.wanted.equals(shape.nodes())) {
            last = new Cached(shape.nodes(), refusal(shape.nodes()));
            cached = last;
        }
        return last.refusal;
    }

    private static Refusal refusal(Labels wanted) {
        return Refusal.untilFleet("node-selector", "node lacks labels " + wanted);
    }
}
