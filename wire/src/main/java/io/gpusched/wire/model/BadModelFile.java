package io.gpusched.wire.model;

/// A model file cannot be used. The message names the file, the reason and the remedy.
public final class BadModelFile extends RuntimeException {
    private static final long serialVersionUID = 1;

    BadModelFile(String message) {
        super(message);
    }
}
