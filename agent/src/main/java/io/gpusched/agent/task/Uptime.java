package io.gpusched.agent.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/// The machine's own clock, which never steps and also counts while the machine sleeps.
///
/// It is read from `/proc/uptime`, because that is the one such clock a shell script can read too:
/// agent and shim must agree on what a deadline means. Its unit is the centisecond.
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

    /// Names this run of the machine; times of another run mean nothing.
    public static String boot() {
        return read(BOOT).strip();
    }

    /// The length of a duration on this clock, rounded up so that no deadline comes early.
    public static long ticks(Duration length) {
        return Math.ceilDiv(length.toMillis(), 10);
    }

    /// The wall-clock time at which this clock showed `ticks`, for people.
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
