package io.gpusched.core.spot;

import io.gpusched.core.model.Check;

/// A job with a deadline at one moment. Times are milliseconds.
///
/// @param timeLeft from now until the deadline; negative once it has passed
/// @param remaining run time that is still needed, without overhead
/// @param overhead run time lost by every start: provisioning, loading, restoring a checkpoint
/// @param overheadLeft what is left of the overhead of the start before
/// @param current where the job runs now; a job whose spot capacity was taken waits
/// @param interval how long until the next decision at most
public record DeadlineJob(
        long timeLeft,
        long remaining,
        long overhead,
        long overheadLeft,
        SpotChoice current,
        long interval) {
    public DeadlineJob {
        Check.that(remaining >= 0, "remaining must not be negative: %s", remaining);
        Check.that(overhead >= 0, "overhead must not be negative: %s", overhead);
        Check.that(overheadLeft >= 0, "overheadLeft must not be negative: %s", overheadLeft);
        Check.that(interval > 0, "interval must be positive: %s", interval);
    }

    /// Time that may be lost by waiting and by starts without missing the deadline.
    public long slack() {
        return timeLeft - remaining - overheadLeft;
    }
}
