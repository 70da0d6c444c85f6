package io.gpusched.agent.notice;

import java.time.Duration;
import java.time.Instant;

/// The time at which the machine will be taken away, by this machine's clock.
public record Announcement(Instant at) {
    /// Providers announce minutes.
    private static final Duration MOST = Duration.ofDays(1);

    /// How long the machine is still there, a day at most; zero if that time has passed.
    public Duration left(Instant now) {
        Duration left = Duration.between(now, at);
        Duration bounded = left.compareTo(MOST) > 0 ? MOST : left;
        return bounded.isNegative() ? Duration.ZERO : bounded;
    }
}
