package io.gpusched.lab;

/// A command cannot be carried out, for a reason its user can do something about.
final class Hopeless extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Hopeless(String message) {
        super(message);
    }
}
