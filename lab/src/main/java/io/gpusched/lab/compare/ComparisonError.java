package io.gpusched.lab.compare;

/// A comparison cannot be made, for a reason its user can do something about.
public final class ComparisonError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ComparisonError(String message) {
        super(message);
    }
}
