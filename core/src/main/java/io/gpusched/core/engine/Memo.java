package io.gpusched.core.engine;

import io.gpusched.core.model.Grant;
import io.gpusched.core.state.NodeView;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// What every node answered to one shape, and at which version of the node. Between two attempts
/// few nodes change, so nearly all answers still hold.
final class Memo {
    private long[] versions = new long[0];
    private @Nullable Grant[] grants = new @Nullable Grant[0];
    private double[] costs = new double[0];

    /// Whether the node's last answer still holds. It never does where it depends on who asks.
    boolean knows(NodeView node) {
        int at = node.index();
        return at < versions.length && versions[at] == node.version() + 1 && !node.isClaimed();
    }

    /// What the shape would hold on the node; null when it does not fit there.
    @Nullable Grant grant(NodeView node) {
        return grants[node.index()];
    }

    double cost(NodeView node) {
        return costs[node.index()];
    }

    void put(NodeView node, @Nullable Grant grant, double cost) {
        int at = node.index();
        if (at >= versions.length) {
            int length = Math.max(at + 1, versions.length * 2);
            versions = Arrays.copyOf(versions, length);
            grants = Arrays.copyOf(grants, length);
            costs = Arrays.copyOf(costs, length);
        }
        versions[at] = node.version() + 1;
        grants[at] = grant;
        costs[at] = cost;
    }
}
