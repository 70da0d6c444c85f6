package io.gpusched.core.outlook;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Placement;

import java.time.Duration;

/// How long runs take, as far as anybody knows.
public interface Runtimes {
    /// How much longer a run goes on.
    ///
    /// @param on where it runs
    /// @param ran how long it has run already
    /// @param luck from 0 to 1: which of the possible lengths it is, the shortest at 0
    Duration left(Job job, Placement on, Duration ran, double luck);

    /// Every run takes as long as it may, or as long as is assumed of jobs without a limit.
    static Runtimes asLongAsAllowed(Duration assumed) {
        return (job, on, ran, luck) -> {
            Duration limit = job.spec().limit().isZero() ? assumed : job.spec().limit();
            return ran.compareTo(limit) < 0 ? limit.minus(ran) : Duration.ofMinutes(1);
        };
    }
}
