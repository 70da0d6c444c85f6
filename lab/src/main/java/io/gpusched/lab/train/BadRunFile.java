package io.gpusched.lab.train;

/// Thrown when a file is not a usable log or result of a training run. The message says what was
/// expected.
public final class BadRunFile extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadRunFile(String message) {
        super(message);
    }
}
