package io.gpusched.lab.compare;

/// A comparison failed for a reason that its user can correct.
public final class ComparisonError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ComparisonError(String message) {
        super(message);
    }
}
