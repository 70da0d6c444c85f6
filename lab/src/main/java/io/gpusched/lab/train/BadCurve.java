package io.gpusched.lab.train;

/// Thrown when a file is not the log of a training run. The message says what was expected.
public final class BadCurve extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BadCurve(String message) {
        super(message);
    }
}
