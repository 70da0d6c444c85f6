package io.gpusched.server.view;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

/// When waiting jobs are expected to start, as far as anybody has worked it out.
@FunctionalInterface
public interface StartTimes {
    /// Null when nobody knows. Never a time that has passed: who should have started by now starts
    /// any moment.
    @Nullable StartEstimate of(JobId job);

    /// Whether half of the jobs that were told the same would have started by now.
    default boolean isDue(JobId job) {
        return false;
    }

    /// Whether that was told from how long others will wait, and not run ahead for.
    default boolean isRough(JobId job) {
        return false;
    }
}
