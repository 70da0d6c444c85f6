package io.gpusched.cli.json;

/// Thrown for invalid JSON; the message says where, what was expected and what was found.
public final class JsonFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonFault(String message) {
        super(message);
    }
}
