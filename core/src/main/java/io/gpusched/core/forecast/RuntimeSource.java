package io.gpusched.core.forecast;

import io.gpusched.core.model.Job;

import java.time.Duration;

/// How long runs take, as far as anybody knows.
public interface RuntimeSource {
    /// How much longer a run goes on.
    ///
    /// @param gpu the model it runs on; empty where it has none
    /// @param ran how long it has run already
    /// @param luck from 0 to 1: which of the possible lengths it is, the shortest at 0
    Duration left(Job job, String gpu, Duration ran, double luck);

    /// Every run takes as long as it may, or as long as is assumed of jobs without a limit.
    static RuntimeSource asLongAsAllowed(Duration assumed) {
        return (job, gpu, ran, luck) -> {
            Duration limit = job.spec().limit().isZero() ? assumed : job.spec().limit();
            return ran.compareTo(limit) < 0 ? limit.minus(ran) : Duration.ofMinutes(1);
        };
    }
}
