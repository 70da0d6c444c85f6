package io.gpusched.core.nodes;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.util.AbstractList;
import java.util.List;

/// The nodes as one job may use them: they show as free what other jobs have not claimed.
///
/// This holds no copy. It shows the ledger as it is at the moment, trials included. Only nodes on
/// which something is claimed are wrapped, the others are shown as they are.
public final class ShownNodes implements Nodes {
    private final NodeLedger ledger;
    private final HiddenCapacity hidden;

    ShownNodes(NodeLedger ledger, HiddenCapacity hidden) {
        this.ledger = ledger;
        this.hidden = hidden;
    }

    /// The node as the job sees it, whichever view the node comes from.
    public NodeView show(NodeView node) {
        NodeView itself = ShownNode.itself(node);
        return itself instanceof NodeEntry entry && entry.isClaimed()
                ? new ShownNode(entry, hidden)
                : itself;
    }

    @Override
    public @Nullable NodeView find(NodeId id) {
        NodeView node = ledger.find(id);
        return node == null ? null : show(node);
    }

    @Override
    public List<NodeView> all() {
        List<NodeView> all = ledger.all();
        return new AbstractList<>() {
            @Override
            public NodeView get(int at) {
                return show(all.get(at));
            }

            @Override
            public int size() {
                return all.size();
            }
        };
    }

    @Override
    public long version() {
        return ledger.version();
    }

    @Override
    public FreeCapacity freeCapacity() {
        return ledger.freeCapacity();
    }
}
