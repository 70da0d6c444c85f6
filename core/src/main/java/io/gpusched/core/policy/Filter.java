package io.gpusched.core.policy;

import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;

import org.jspecify.annotations.Nullable;

/// Keeps a task away from a node. It sees the shape only, never the job: equal shapes get equal
/// answers.
public interface Filter {
    @Nullable Refusal refuse(Shape shape, NodeView node);

    /// The name used in configuration and where it fails.
    default String name() {
        return getClass().getSimpleName();
    }

    /// Whether the answer depends on nothing but the node's GPUs, how they are connected and cut,
    /// and its taints. The scheduler asks such a filter once for all nodes that agree in these, and
    /// keeps the answer until the fleet changes. An answer that depends on labels, or on the cores
    /// and memory of the host, is not fixed: they differ from node to node.
    default boolean fixed() {
        return false;
    }
}
