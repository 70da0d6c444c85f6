package io.gpusched.core.model;

import java.time.Duration;

/// What people may set about GPUs that are held and not used.
///
/// @param threshold a GPU whose measured use is below so many percent does nothing
/// @param after a task is idle when all its GPUs have done nothing for so long
/// @param reclaims whether jobs are stopped whose tasks all stay idle
/// @param grace how much longer such a job goes on
public record IdleRules(double threshold, Duration after, boolean reclaims, Duration grace) {
    /// A job with this label says what is to become of it: [#KEEP].
    public static final String LABEL = "gpusched.io/idle";

    /// The value of [#LABEL] for jobs that are only ever reported.
    public static final String KEEP = "keep";

    public static final IdleRules DEFAULT =
            new IdleRules(5, Duration.ofMinutes(30), false, Duration.ofMinutes(10));

    public IdleRules {
        Check.that(
                threshold > 0 && threshold <= 100,
                "a threshold is above 0 and at most 100 percent, found %s",
                threshold);
        Check.that(after.toMillis() > 0, "idle after at least a millisecond, found %s", after);
        Check.that(!grace.isNegative(), "a grace period is not negative, found %s", grace);
    }

    /// For how long a job has used none of its GPUs when it is stopped.
    public Duration patience() {
        return after.plus(grace);
    }

    /// Whether a job may ever be stopped for being idle. That its tenant's jobs are not stopped for
    /// others does not protect it: nobody else gains by its GPUs doing nothing.
    public boolean mayStop(JobSpec job) {
        return reclaims && !optedOut(job);
    }

    /// Whether the job asked not to be stopped for being idle.
    public static boolean optedOut(JobSpec job) {
        return job.labels().value(LABEL).equals(KEEP);
    }
}
