package io.gpusched.sim.scenario;

/// A scenario file that cannot be used. The message says where, what was expected and what was
/// found.
public final class BadScenario extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadScenario(String where, String message) {
        super(where.isEmpty() ? message : where + ": " + message);
    }
}
