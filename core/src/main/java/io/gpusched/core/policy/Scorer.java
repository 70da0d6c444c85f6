package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Rates candidates, all at once so that it can normalise by itself.
///
/// A scorer from a plug-in keeps nothing between two calls: two threads may use the same one. The
/// built-in ones belong to one engine and may cache what they computed for its nodes. A scorer that
/// throws counts as neutral, and the explanation says that it failed.
public interface Scorer {
    String name();

    /// Writes a cost from 0 (best) to 1 (worst) for each candidate into `cost`, which may be longer
    /// than the list.
    void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost);

    /// Whether the cost of a candidate depends only on the shape, the node and the grant. Such a
    /// cost is kept until the node changes.
    default boolean local() {
        return false;
    }

    /// Whether the emptiest nodes should be looked at first, not the fullest: where only some nodes
    /// are scored, those with the lowest cost must be among them.
    default boolean likesRoom() {
        return false;
    }

    /// Which part of the score, in percent, the job gives this scorer; 0 where the weight of the
    /// policy counts.
    default int percent(Job job) {
        return 0;
    }

    /// Nodes that this scorer prefers for the job, whatever their labels. Some of them are always
    /// among those scored.
    default Iterable<NodeId> preferredNodes(Job job, ClusterView cluster) {
        return List.of();
    }

    /// Labels of nodes that this scorer prefers for the job, the best first. Some of the nodes that
    /// carry them are always among those scored; the scheduler uses only the first few labels.
    default List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        return List.of();
    }
}
