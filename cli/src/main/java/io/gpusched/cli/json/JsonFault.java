package io.gpusched.cli.json;

/// What was read is not JSON; the message says where, what was expected and what stood there.
public final class JsonFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JsonFault(String message) {
        super(message);
    }
}
