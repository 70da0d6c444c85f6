package io.gpusched.core.engine;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Levels;
import io.gpusched.core.model.Near;
import io.gpusched.core.model.Nearest;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

/// Refuses jobs that ask to be near in a way that nothing can satisfy: a level nobody knows, or one
/// that is required and that no node tells.
final class NearCheck {
    private NearCheck() {}

    /// Null when there is nothing to complain about.
    static @Nullable Problem problem(JobSpec spec, ClusterState state, Levels levels) {
        for (Near near : spec.near()) {
            int level = levels.of(near.level());
            if (level < 0) {
                String nearest = Nearest.to(near.level(), levels.names());
                return new Problem(
                        Problem.Code.INVALID,
                        near.required() ? "within" : "near",
                        "there is no level \"" + near.level() + "\"",
                        (nearest == null ? "" : "did you mean " + nearest + "? ")
                                + "the levels are "
                                + String.join(", ", levels.names()));
            }
            if (near.required() && !isTold(level, state, levels)) {
                return new Problem(
                        Problem.Code.INVALID,
                        "within",
                        "no node tells its " + near.level() + ", which the job requires",
                        "say "
                                + closestTold(level, state, levels)
                                + " instead, or label the nodes with "
                                + String.join(" or ", levels.all().get(level).labels()));
            }
        }
        return null;
    }

    /// Whether any node tells its place, or there are no nodes yet to ask.
    private static boolean isTold(int level, ClusterState state, Levels levels) {
        if (level == levels.size() - 1 || state.nodeIndex().isEmpty()) {
            return true;
        }
        for (String label : levels.all().get(level).labels()) {
            if (state.nodeIndex().isCarried(label)) {
                return true;
            }
        }
        return false;
    }

    /// The next wider level that nodes tell or, where there is none, the next narrower.
    private static String closestTold(int level, ClusterState state, Levels levels) {
        for (int wider = level - 1; wider >= 0; wider--) {
            if (isTold(wider, state, levels)) {
                return levels.names().get(wider);
            }
        }
        int narrower = level + 1;
        while (!isTold(narrower, state, levels)) {
            narrower++;
        }
        return levels.names().get(narrower);
    }
}
