package io.gpusched.cli.args;

/// Reports an invalid command line: what was expected, what was found, and perhaps a suggestion.
/// The process exits with 2.
public final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageError(String message) {
        super(message);
    }
}
