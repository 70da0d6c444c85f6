package io.gpusched.core.nodes;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The nodes of the cluster as rules and readers see them. What a node shows as free depends on
/// where this comes from: the ledger shows what no claim holds, a [ShownNodes] what one job may
/// use.
public interface Nodes {
    @Nullable NodeView find(NodeId id);

    /// All nodes, by index.
    List<NodeView> all();

    /// Changes whenever a node joins, leaves or is described anew.
    long version();

    /// What is free on all open nodes together, by counts. Claimed capacity counts as free.
    FreeCapacity freeCapacity();
}
