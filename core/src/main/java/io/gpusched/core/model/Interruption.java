package io.gpusched.core.model;

import java.time.Duration;

/// What a job wants when it is interrupted: how long it may take to stop, whether it saves its
/// work, and whether it is put back into the queue.
///
/// @param checkpoints whether it saves its work now and then, and goes on from there
public record Interruption(Duration grace, boolean checkpoints, boolean requeue) {
    public static final Interruption DEFAULT =
            new Interruption(Duration.ofSeconds(30), false, true);

    public Interruption {
        Check.that(!grace.isNegative(), "a grace period is not negative, found %s", grace);
    }

    /// How much of a run would be done again if it were interrupted after `ran`: all of it, or what
    /// was done since the last checkpoint where there is one every `every`. With zero, work is
    /// saved at the moment of stopping, and nothing is done again.
    public Duration lost(Duration ran, Duration every) {
        if (!checkpoints || ran.isNegative()) {
            return ran.isNegative() ? Duration.ZERO : ran;
        }
        return every.isZero()
                ? Duration.ZERO
                : Duration.ofMillis(ran.toMillis() % every.toMillis());
    }
}
