package io.gpusched.core.model;

import java.time.Duration;

/// Rules for GPUs that a task holds but does not use.
///
/// @param threshold a GPU whose measured utilisation is below this many percent is idle
/// @param after a task is idle when all its GPUs have been idle for this long
/// @param reclaims whether the scheduler stops jobs whose tasks all stay idle
/// @param grace how much longer such a job may run
public record IdleRules(double threshold, Duration after, boolean reclaims, Duration grace) {
    /// The job label that says how an idle job is treated, see [#KEEP].
    public static final String LABEL = "gpusched.io/idle";

    /// The value of [#LABEL] for jobs that are reported as idle but never stopped.
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

    /// How long a job must have used none of its GPUs before it is stopped.
    public Duration patience() {
        return after.plus(grace);
    }

    /// Whether a job may ever be stopped for being idle. A tenant's protection against preemption
    /// does not count here: no other job gains by its GPUs being idle.
    public boolean mayStop(JobSpec job) {
        return reclaims && !optedOut(job);
    }

    /// Whether the job asked not to be stopped for being idle.
    public static boolean optedOut(JobSpec job) {
        return job.labels().value(LABEL).equals(KEEP);
    }
}
