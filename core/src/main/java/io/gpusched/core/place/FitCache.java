package io.gpusched.core.place;

import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The fits of one shape on every node, with the node's version. Between two searches few nodes
/// change, so nearly all cached fits are still valid.
final class FitCache {
    private long[] versions = new long[0];
    private @Nullable Candidate[] candidates = new @Nullable Candidate[0];
    private double[] costs = new double[0];

    /// Whether the cached fit is still valid. It never is where it depends on the job.
    boolean knows(NodeView node) {
        int at = node.index();
        return at < versions.length && versions[at] == node.version() + 1 && !node.isClaimed();
    }

    /// The node with what the shape would hold there; null when it does not fit.
    @Nullable Candidate candidate(NodeView node) {
        return candidates[node.index()];
    }

    double cost(NodeView node) {
        return costs[node.index()];
    }

    void put(NodeView node, @Nullable Candidate candidate, double cost) {
        int at = node.index();
        if (at >= versions.length) {
            int length = Math.max(at + 1, versions.length * 2);
            versions = Arrays.copyOf(versions, length);
            candidates = Arrays.copyOf(candidates, length);
            costs = Arrays.copyOf(costs, length);
        }
        versions[at] = node.version() + 1;
        candidates[at] = candidate;
        costs[at] = cost;
    }
}
