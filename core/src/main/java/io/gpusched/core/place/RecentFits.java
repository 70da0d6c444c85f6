package io.gpusched.core.place;

import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The latest fits of one shape, with the version of each node.
///
/// A search that scores few nodes meets nearly the same ones each time, because they come first in
/// the walk, and since the last search only the chosen one has changed. It keeps a fixed number of
/// fits, so that many shapes on a large fleet cost little; a node whose entry was overwritten is
/// simply tried again.
final class RecentFits {
    private static final int KEPT = 128;

    private final long[] versions = new long[KEPT];
    private final int[] nodes = new int[KEPT];
    private final @Nullable Candidate[] candidates = new @Nullable Candidate[KEPT];

    RecentFits() {
        Arrays.fill(nodes, -1);
    }

    /// Whether the latest fit is still valid. It never is where it depends on the job.
    boolean knows(NodeView node) {
        int at = node.index() % KEPT;
        return nodes[at] == node.index() && versions[at] == node.version() && !node.isClaimed();
    }

    /// The node with what the shape would hold there; null when it does not fit. Only for nodes
    /// with a valid fit.
    @Nullable Candidate candidate(NodeView node) {
        return candidates[node.index() % KEPT];
    }

    void put(NodeView node, @Nullable Candidate candidate) {
        int at = node.index() % KEPT;
        nodes[at] = node.index();
        versions[at] = node.version();
        candidates[at] = candidate;
    }
}
