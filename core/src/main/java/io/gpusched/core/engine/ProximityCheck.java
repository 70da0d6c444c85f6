package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

/// Refuses jobs that name a topology level that does not exist, or that require a level that no
/// node reports.
final class ProximityCheck {
    private ProximityCheck() {}

    /// The problem of the job; null if there is none.
    static @Nullable Problem problem(
            JobSpec spec, ClusterState state, TopologyLevels topologyLevels) {
        for (Proximity proximity : spec.near()) {
            int level = topologyLevels.of(proximity.level());
            if (level < 0) {
                String nearest = SpellingSuggestion.to(proximity.level(), topologyLevels.names());
                return new Problem(
                        Problem.Code.INVALID,
                        proximity.required() ? "within" : "near",
                        "there is no level \"" + proximity.level() + "\"",
                        (nearest == null ? "" : "did you mean " + nearest + "? ")
                                + "the levels are "
                                + String.join(", ", topologyLevels.names()));
            }
            if (proximity.required() && !isTold(level, state, topologyLevels)) {
                return new Problem(
                        Problem.Code.INVALID,
                        "within",
                        "no node tells its " + proximity.level() + ", which the job requires",
                        "say "
                                + closestTold(level, state, topologyLevels)
                                + " instead, or label the nodes with "
                                + String.join(" or ", topologyLevels.all().get(level).labels()));
            }
        }
        return null;
    }

    /// Whether any node tells its place, or there are no nodes yet to ask.
    private static boolean isTold(int level, ClusterState state, TopologyLevels topologyLevels) {
        if (level == topologyLevels.size() - 1 || state.nodes().index().isEmpty()) {
            return true;
        }
        for (String label : topologyLevels.all().get(level).labels()) {
            if (state.nodes().index().isCarried(label)) {
                return true;
            }
        }
        return false;
    }

    /// The next wider level that nodes tell or, where there is none, the next narrower.
    private static String closestTold(
            int level, ClusterState state, TopologyLevels topologyLevels) {
        for (int wider = level - 1; wider >= 0; wider--) {
            if (isTold(wider, state, topologyLevels)) {
                return topologyLevels.names().get(wider);
            }
        }
        int narrower = level + 1;
        while (!isTold(narrower, state, topologyLevels)) {
            narrower++;
        }
        return topologyLevels.names().get(narrower);
    }
}
