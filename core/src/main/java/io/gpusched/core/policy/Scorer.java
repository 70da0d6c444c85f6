package io.gpusched.core.policy;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.ClusterView;

import java.util.List;

/// Prices candidates, all at once so that it can normalise by itself.
public interface Scorer {
    String name();

    /// Writes a cost from 0 (best) to 1 (worst) for each candidate into `cost`.
    void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost);

    /// Whether the cost of a candidate depends on nothing but the shape, the node and the grant.
    /// Such a cost is kept until the node changes.
    default boolean local() {
        return false;
    }
}
