package io.gpusched.sim.trace;

/// A trace is missing or is not what it should be; the message says which file, where in it, what
/// was expected, and what was found.
public final class BadTrace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadTrace(String message) {
        super(message);
    }
}
