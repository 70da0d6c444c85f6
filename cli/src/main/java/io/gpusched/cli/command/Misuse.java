package io.gpusched.cli.command;

/// The command line itself was wrong in a way that only shows when the command is carried out; the
/// process exits with 2.
public final class Misuse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Misuse(String message) {
        super(message);
    }
}
