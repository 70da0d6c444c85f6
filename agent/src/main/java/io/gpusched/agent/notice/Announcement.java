package io.gpusched.agent.notice;

import java.time.Duration;
import java.time.Instant;

/// The time at which the machine will be taken away, by this machine's clock.
public record Announcement(Instant at) {
    /// How long the machine is still there; zero if that time has passed.
    public Duration left(Instant now) {
        Duration left = Duration.between(now, at);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
