package io.gpusched.server.webhook;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// When a message that could not be delivered is sent again: after twice the time as before, half
/// of it at random, so that many servers do not come back at the same moment.
///
/// @param first time before the first repetition
/// @param most longest time between two repetitions
/// @param giveUp age at which a message is given up
record RetryTimes(Duration first, Duration most, Duration giveUp) {
    static final RetryTimes USUAL =
            new RetryTimes(Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofHours(1));

    private static final int MOST_DOUBLINGS = 30;

    /// @param failures how many times the message has been sent so far
    Duration after(int failures, RandomGenerator random) {
        long doubled = first.toMillis() << Math.min(failures - 1, MOST_DOUBLINGS);
        long whole = Math.min(doubled, most.toMillis());
        return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
    }
}
