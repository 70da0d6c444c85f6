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

    /// Whether the answer depends on nothing but what the node has: its GPUs, its cores and memory,
    /// its taints. Such an answer is asked once for all nodes that have the same and kept until the
    /// fleet changes. What depends on labels is not fixed, however rarely they change.
    default boolean fixed() {
        return false;
    }
}
