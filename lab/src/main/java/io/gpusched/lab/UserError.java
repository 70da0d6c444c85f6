package io.gpusched.lab;

/// A command failed for a reason that its user can correct; the message says which.
final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UserError(String message) {
        super(message);
    }
}
