package io.gpusched.server.idle;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// What is known of one GPU's use.
final class GpuUse {
    private @Nullable Instant readAt;
    private @Nullable Instant quietSince;
    private boolean busy;
    private double percent = Double.NaN;

    /// Takes a reading. A GPU is quiet from its first reading below the threshold; one that does
    /// not tell how much it is used, or was not heard of for a while, may have been busy.
    ///
    /// @param use percent; null where the device does not tell
    /// @param gap how long nothing may be heard without losing count
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

    /// From when on every reading was below the threshold; null when the last was not.
    @Nullable Instant quietSince() {
        return quietSince;
    }

    /// Whether the last reading says that it is used.
    boolean busy() {
        return busy;
    }

    /// The last reading; not a number where there is none.
    double percent() {
        return percent;
    }
}
