package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Instants as microseconds since the epoch, the form heaps and digests use.
public final class Instants {
    private Instants() {}

    public static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
    }

    public static Instant ofMicros(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
    }

    /// The earlier of the two; the other where one is null.
    public static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isBefore(other) ? one : other;
    }
}
