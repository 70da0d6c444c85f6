package io.gpusched.gateway.http;

/// Bytes that are not the HTTP that this gateway accepts.
public final class BadHttp extends Exception {
    private final int status;

    public BadHttp(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /// The status with which a request is refused that contains such bytes.
    public int status() {
        return status;
    }

    /// The message, which is always present.
    public String reason() {
        return String.valueOf(getMessage());
    }
}
