package io.gpusched.core.policy;

import io.gpusched.core.model.Shape;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

/// Keeps a task away from a node. It sees the shape only, never the job: equal shapes get equal
/// answers.
public interface Filter {
    @Nullable Refusal refuse(Shape shape, NodeView node);

    /// The name used in configuration and where it fails.
    default String name() {
        return getClass().getSimpleName();
    }

    /// Whether the answer depends on nothing but the node's description. Such an answer is asked
    /// once for all nodes described alike and kept until the fleet changes.
    default boolean fixed() {
        return false;
    }
}
