package io.gpusched.gateway.binding;

import java.time.Duration;

/// How often bindings are read.
///
/// @param poll time between two readings of a queue
/// @param timeout after which a reading is given up, whatever its client is doing
/// @param backoff time to the next try after the first problem; it doubles with every further one
/// @param longest the most time between two tries
/// @param refresh time between two readings of the list of bindings
record Pace(Duration poll, Duration timeout, Duration backoff, Duration longest, Duration refresh) {
    static final Pace USUAL =
            new Pace(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(2),
                    Duration.ofMinutes(1),
                    Duration.ofSeconds(10));

    /// How long a client library waits for one answer; less than `timeout`, so that the library
    /// usually names the problem.
    static final int CLIENT_TIMEOUT_MILLIS = 5000;

    /// @param problems how many tries have failed since the last reading, at least 1
    Duration wait(int problems) {
        Duration wait = backoff.multipliedBy(1L << Math.min(problems - 1, 20));
        return wait.compareTo(longest) > 0 ? longest : wait;
    }
}
