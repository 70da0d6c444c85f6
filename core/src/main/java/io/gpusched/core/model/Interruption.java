package io.gpusched.core.model;

import java.time.Duration;

/// How a job wants to be interrupted: how long it may take to stop, whether it saves its work, and
/// whether it goes back into the queue.
///
/// @param checkpoints whether it saves its work from time to time and resumes from there
public record Interruption(Duration grace, boolean checkpoints, boolean requeue) {
    public static final Interruption DEFAULT =
            new Interruption(Duration.ofSeconds(30), false, true);

    public Interruption {
        Check.that(!grace.isNegative(), "a grace period is not negative, found %s", grace);
    }

    /// How much of a run would be repeated if it were interrupted after `ran`: all of it, or the
    /// part since the last checkpoint if the job writes one every `every`. With zero, the job saves
    /// its work when it is stopped, and repeats nothing.
    public Duration lost(Duration ran, Duration every) {
        if (!checkpoints || ran.isNegative()) {
            return ran.isNegative() ? Duration.ZERO : ran;
        }
        return every.isZero()
                ? Duration.ZERO
                : Duration.ofMillis(ran.toMillis() % every.toMillis());
    }
}
