package io.gpusched.server.agents;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for things that other threads and processes do: for a condition, never for a time.
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private Eventually() {}

    static void eventually(String what, BooleanSupplier condition, Supplier<?> lastSeen) {
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
            LockSupport.parkNanos(10_000_000);
        }
    }
}
