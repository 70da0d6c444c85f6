package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prices candidates, all at once so that it can normalise by itself.
///
/// A scorer from a plug-in keeps nothing between two calls: two threads may ask the same one. The
/// built-in ones are made for one engine and may keep what they worked out of its nodes. One that
/// throws counts as neutral, and the explanation says that it failed.
public interface Scorer {
    String name();

    /// Writes a cost from 0 (best) to 1 (worst) for each candidate into `cost`, which may be longer
    /// than the list.
    void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost);

    /// Whether the cost of a candidate depends on nothing but the shape, the node and the grant.
    /// Such a cost is kept until the node changes.
    default boolean local() {
        return false;
    }

    /// Whether the nodes with the most left to give should be looked at first, not the fullest:
    /// where only some nodes are scored, those this scorer likes best must be among them.
    default boolean likesRoom() {
        return false;
    }

    /// Labels of nodes that this scorer likes for the job, the best first. Some of the nodes that
    /// carry them are always among those scored; a handful of wishes is heard, not more.
    default List<PreferredLabel> wishes(Job job, ClusterView cluster) {
        return List.of();
    }
}
