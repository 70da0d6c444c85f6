package io.gpusched.core.policy;

import java.time.Duration;

/// How jobs may pass one that cannot start.
///
/// @param mode `STRICT`: nobody passes. `SKIP`: everybody may, nothing is reserved. `RESERVE`: the first
///     that cannot start gets a reservation, and others may pass if they do not delay it.
/// @param assumed how long a job without a time limit is thought to run
public record Backfill(Mode mode, Duration assumed) {
    public enum Mode {
        STRICT,
        SKIP,
        RESERVE
    }
}
