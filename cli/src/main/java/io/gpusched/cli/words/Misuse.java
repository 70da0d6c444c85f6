package io.gpusched.cli.words;

/// The command line was wrong: what was expected, what was found, and perhaps what was meant. The
/// process exits with 2.
public final class Misuse extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Misuse(String message) {
        super(message);
    }
}
