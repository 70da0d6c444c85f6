package io.gpusched.sim.audit;

/// An invariant of the scheduler that an event violated.
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    static void unless(boolean holds, String promise, Object... values) {
        if (!holds) {
            throw new Violation(promise.formatted(values));
        }
    }
}
