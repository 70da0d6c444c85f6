package io.gpusched.core.forecast;

import io.gpusched.core.model.Job;

import java.time.Duration;

/// Draws the remaining runtimes of jobs for a forecast.
public interface RuntimeSource {
    /// The remaining runtime of a run.
    ///
    /// @param gpu the GPU model that the job runs on; empty if it uses no GPU
    /// @param ran how long it has run already
    /// @param luck the quantile of the distribution of runtimes to draw: 0 for the shortest, up to
    ///        1
    Duration left(Job job, String gpu, Duration ran, double luck);

    /// Every run takes its time limit, or `assumed` if it has none.
    static RuntimeSource asLongAsAllowed(Duration assumed) {
        return (job, gpu, ran, luck) -> {
            Duration limit = job.spec().limit().isZero() ? assumed : job.spec().limit();
            return ran.compareTo(limit) < 0 ? limit.minus(ran) : Duration.ofMinutes(1);
        };
    }
}
