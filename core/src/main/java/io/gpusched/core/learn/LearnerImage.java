package io.gpusched.core.learn;

import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;

import java.util.List;

/// Everything that was learned, as a value: what a snapshot holds beside the ledger.
///
/// @param retention how many pairs are kept
/// @param pairs those first that have not changed for longest; `slowdowns` too
/// @param model of run times; one of another version is begun anew
public record LearnerImage(
        long retention,
        ExplorationCounts explorationCounts,
        List<LearnedRuntime> pairs,
        List<LearnedSlowdown> slowdowns,
        ModelImage model) {
    /// Of a scheduler that has seen nothing.
    public static final LearnerImage NOTHING =
            new LearnerImage(
                    Learner.RETENTION,
                    ExplorationCounts.NONE,
                    List.of(),
                    List.of(),
                    new RuntimeModel().image());

    public LearnerImage {
        pairs = List.copyOf(pairs);
        slowdowns = List.copyOf(slowdowns);
    }
}
