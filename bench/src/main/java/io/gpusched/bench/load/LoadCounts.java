package io.gpusched.bench.load;

import java.time.Duration;

/// The counts and latencies of a load driver.
///
/// @param acknowledged answers with the wanted status, warm-up included: what the server must have
/// @param accepted those that came within the window
/// @param refused answers with another status, warm-up included
/// @param firstRefusal the first of them, whole; empty when there was none
/// @param latencies of answers within the window, from the first byte sent to the last received
/// @param cpu what the driver itself used, warm-up included
public record LoadCounts(
        long acknowledged,
        long accepted,
        long refused,
        String firstRefusal,
        Duration window,
        Latencies latencies,
        Duration cpu) {
    public double perSecond() {
        return accepted * 1e9 / window.toNanos();
    }

    /// The driver's own processor time per answer, in microseconds.
    public double cpuMicrosEach() {
        return cpu.toNanos() / 1e3 / Math.max(1, acknowledged + refused);
    }
}
