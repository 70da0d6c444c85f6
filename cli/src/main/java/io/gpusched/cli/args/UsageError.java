package io.gpusched.cli.args;

/// The command line was wrong: what was expected, what was found, and perhaps what was meant. The
/// process exits with 2.
public final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageError(String message) {
        super(message);
    }
}
