package io.gpusched.operator.kube;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long to wait after failures in a row: twice as long each time, half of it at random, so that
/// many clients do not come back at the same moment.
final class Backoff {
    private static final int MOST_DOUBLINGS = 20;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private int failures;

    Backoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    Duration next() {
        long doubled = first.toMillis() << Math.min(failures, MOST_DOUBLINGS);
        long whole = Math.min(doubled, longest.toMillis());
        failures++;
        return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
    }

    void reset() {
        failures = 0;
    }
}
