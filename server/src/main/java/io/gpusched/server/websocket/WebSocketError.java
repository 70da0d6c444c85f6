package io.gpusched.server.websocket;

/// A client broke a rule of the protocol; the connection must be closed with this code.
public final class WebSocketError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    WebSocketError(int code, String reason) {
        super(reason);
        this.code = code;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
