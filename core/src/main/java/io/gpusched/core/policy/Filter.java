package io.gpusched.core.policy;

import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;

import org.jspecify.annotations.Nullable;

/// A rule that refuses nodes for a task. It sees the shape only, never the job: equal shapes get
/// equal answers.
public interface Filter {
    @Nullable Refusal refuse(Shape shape, NodeView node);

    /// The name used in configuration and in messages about its failure.
    default String name() {
        return getClass().getSimpleName();
    }

    /// Whether the answer depends only on the node's GPUs, their connections and MIG partitioning,
    /// and its taints. The scheduler calls such a filter once for all nodes that are equal in
    /// these, and keeps the answer until the fleet changes. An answer that depends on labels, or on
    /// the cores and memory of the host, is not fixed: they differ from node to node.
    default boolean fixed() {
        return false;
    }
}
