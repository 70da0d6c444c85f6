package io.gpusched.agent;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for effects of other processes. Tests wait for a condition, never for a time; a failure
/// shows the last observation.
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Eventually() {}

    public static void eventually(String what, BooleanSupplier condition) {
        eventually(what, condition, () -> "nothing to show");
    }

    public static void eventually(String what, BooleanSupplier condition, Supplier<?> lastSeen) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "expected within "
                                + PATIENCE
                                + ": "
                                + what
                                + "; last seen: "
                                + lastSeen.get());
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
