package io.gpusched.operator.kube;

import java.time.Duration;
import java.time.Instant;

/// Allows some things at once and then one in each interval.
final class TokenBucket {
    private final int most;
    private final Duration interval;
    private double tokens;
    private Instant filled;

    TokenBucket(int most, Duration interval, Instant now) {
        this.most = most;
        this.interval = interval;
        this.tokens = most;
        this.filled = now;
    }

    boolean take(Instant now) {
        double gained = (double) Duration.between(filled, now).toMillis() / interval.toMillis();
        tokens = Math.min(most, tokens + Math.max(0, gained));
        filled = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
