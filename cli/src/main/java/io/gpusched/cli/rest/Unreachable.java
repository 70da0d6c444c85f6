package io.gpusched.cli.rest;

/// There was no answer, or none that a scheduler would give. The message says what to look at.
public final class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Unreachable(String message) {
        super(message);
    }

    public Unreachable(String message, Throwable cause) {
        super(message, cause);
    }
}
