package io.gpusched.core.policy;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

/// Chooses GPUs inside a node; null when the shape does not fit there now.
public interface Fitter {
    /// @param cluster the rest of the ledger, for rules that depend on the typical workload
    @Nullable Grant fit(Shape shape, NodeView node, ClusterView cluster);

    /// Whether the answer depends only on the shape and the node. Such an answer is kept until the
    /// node changes.
    default boolean local() {
        return false;
    }
}
