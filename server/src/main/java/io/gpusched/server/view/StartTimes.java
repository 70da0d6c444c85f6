package io.gpusched.server.view;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.JobId;

import org.jspecify.annotations.Nullable;

/// The estimates of when waiting jobs will start.
@FunctionalInterface
public interface StartTimes {
    /// The estimate of a job; null if there is none. It is never in the past: a job that should
    /// have started by now is expected at any moment.
    @Nullable StartEstimate of(JobId job);

    /// Whether the median of the estimate has passed.
    default boolean isDue(JobId job) {
        return false;
    }

    /// Whether the estimate is derived from those of other jobs instead of simulated.
    default boolean isRough(JobId job) {
        return false;
    }
}
