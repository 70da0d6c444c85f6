package io.gpusched.core.learn;

import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;

import java.util.List;

/// Everything that was learned, as a value: what a snapshot stores beside the ledger.
///
/// @param retention how many pairs are kept
/// @param pairs the longest unchanged first; `slowdowns` too
/// @param model of runtimes; a model of another version is discarded and learned anew
public record LearnerImage(
        long retention,
        ExplorationCounts explorationCounts,
        List<LearnedRuntime> pairs,
        List<LearnedSlowdown> slowdowns,
        ModelImage model) {
    /// The image of a scheduler that has learned nothing.
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
