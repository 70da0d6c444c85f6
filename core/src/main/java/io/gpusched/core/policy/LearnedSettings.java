package io.gpusched.core.policy;

import io.gpusched.core.model.Check;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Settings of the learned queue order.
///
/// @param model null where no model was loaded; then there are no learned policies
/// @param starvationBound a job that has waited this long goes before all jobs that the model ranks
public record LearnedSettings(@Nullable RankingModel model, Duration starvationBound) {
    /// A day: the model may order a backlog of some hours, and no job waits for days behind jobs
    /// that came later.
    public static final Duration USUAL_BOUND = Duration.ofHours(24);

    public static final LearnedSettings NONE = new LearnedSettings(null, USUAL_BOUND);

    public LearnedSettings {
        Check.that(!starvationBound.isNegative(), "the starvation bound is %s", starvationBound);
    }

    public LearnedSettings with(RankingModel other) {
        return new LearnedSettings(other, starvationBound);
    }
}
