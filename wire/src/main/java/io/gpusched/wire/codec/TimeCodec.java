package io.gpusched.wire.codec;

import io.gpusched.core.model.Check;

import java.time.Duration;
import java.time.Instant;

/// Converts instants to whole microseconds, the resolution of the cell and of databases, and
/// durations to nanoseconds, because users may request any.
final class TimeCodec {
    private static final long MICROS = 1_000_000;

    private TimeCodec() {}

    static long micros(Instant instant) {
        Check.that(
                instant.getNano() % 1000 == 0,
                "times in the journal are whole microseconds, found %s",
                instant);
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), MICROS), instant.getNano() / 1000);
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }

    static long nanos(Duration duration) {
        return duration.toNanos();
    }

    static Duration duration(long nanos) {
        return nanos == 0 ? Duration.ZERO : Duration.ofNanos(nanos);
    }
}
