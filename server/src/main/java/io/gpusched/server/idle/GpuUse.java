package io.gpusched.server.idle;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// How long one GPU has been unused, according to its readings.
final class GpuUse {
    private @Nullable Instant readAt;
    private @Nullable Instant quietSince;
    private boolean busy;
    private double percent = Double.NaN;

    /// Adds a reading. A GPU counts as unused from its first reading below the threshold. A GPU
    /// that does not report its utilization, or had no reading for a while, may have been busy.
    ///
    /// @param use utilization in percent; null if the device does not report it
    /// @param gap longest time between two readings after which the count goes on
    void read(@Nullable Double use, double threshold, Instant at, Duration gap) {
        percent = use == null || !Double.isFinite(use) ? Double.NaN : use;
        busy = percent >= threshold;
        boolean quiet = percent < threshold;
        boolean lost = readAt == null || readAt.plus(gap).isBefore(at);
        if (!quiet) {
            quietSince = null;
        } else if (quietSince == null || lost) {
            quietSince = at;
        }
        readAt = at;
    }

    /// Since when every reading was below the threshold; null if the last one was not.
    @Nullable Instant quietSince() {
        return quietSince;
    }

    /// Whether the last reading was at or above the threshold.
    boolean busy() {
        return busy;
    }

    /// The last reading in percent; NaN if there is none.
    double percent() {
        return percent;
    }
}
