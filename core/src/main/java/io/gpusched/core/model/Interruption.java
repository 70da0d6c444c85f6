package io.gpusched.core.model;

import java.time.Duration;

/// What a job wants when it is interrupted: how long it may take to stop, whether it saves its
/// work, and whether it is put back into the queue.
public record Interruption(Duration grace, boolean checkpoints, boolean requeue) {
    public static final Interruption DEFAULT =
            new Interruption(Duration.ofSeconds(30), false, true);

    public Interruption {
        Check.that(!grace.isNegative(), "a grace period is not negative, found %s", grace);
    }
}
