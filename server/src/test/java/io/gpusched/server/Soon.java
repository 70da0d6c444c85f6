package io.gpusched.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition, and fails if it does not become true in time.
final class Soon {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Soon() {}

    static void that(String what, BooleanSupplier holds) {
        that(what, PATIENCE, holds);
    }

    static void that(String what, Duration patience, BooleanSupplier holds) {
        long until = System.nanoTime() + patience.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("not within " + patience + ": " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
