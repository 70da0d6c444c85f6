package io.gpusched.agent.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// The machine's monotonic clock, which also counts while the machine sleeps.
///
/// It is read from `/proc/uptime`, the one such clock that a shell script can read too: agent and
/// shim must agree on deadlines. Its unit is the centisecond.
public final class Uptime {
    private static final Path CLOCK = Path.of("/proc/uptime");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private Uptime() {}

    /// Centiseconds since the machine started.
    public static long now() {
        String line = read(CLOCK);
        int dot = line.indexOf('.');
        int end = line.indexOf(' ');
        return Long.parseLong(line, 0, dot, 10) * 100 + Long.parseLong(line, dot + 1, end, 10);
    }

    /// Id of the current boot; times of another boot are not comparable.
    public static String boot() {
        return read(BOOT).strip();
    }

    /// A duration on this clock, rounded up so that no deadline comes early.
    public static long ticks(Duration length) {
        return Math.ceilDiv(length.toMillis(), 10);
    }

    /// The wall-clock time at which this clock showed `ticks`, for display.
    static Instant wallClockAt(long ticks) {
        return Instant.now().minusMillis((now() - ticks) * 10);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read " + file + ": the agent needs Linux with /proc mounted", e);
        }
    }
}
