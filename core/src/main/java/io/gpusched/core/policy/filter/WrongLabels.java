package io.gpusched.core.policy.filter;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes without the labels a job selects by.
public final class WrongLabels implements Filter {
    /// What was said last: ten thousand nodes in a row lack the same.
    private record Said(Labels wanted, Refusal refusal) {}

    private Said said = new Said(Labels.NONE, refusal(Labels.NONE));

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        if (node.facts().labels().containAll(shape.nodes())) {
            return null;
        }
        Said last = said;
        if (!last.wanted.equals(shape.nodes())) {
            last = new Said(shape.nodes(), refusal(shape.nodes()));
            said = last;
        }
        return last.refusal;
    }

    private static Refusal refusal(Labels wanted) {
        return Refusal.untilFleet("node-selector", "node lacks labels " + wanted);
    }
}
