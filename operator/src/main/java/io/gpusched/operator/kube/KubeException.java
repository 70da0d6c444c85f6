package io.gpusched.operator.kube;

/// An API server refused a request, or could not be reached.
public final class KubeException extends RuntimeException {
    private final int code;
    private final String reason;

    /// @param code the HTTP status; 0 if no answer came
    /// @param reason as in the server's Status: `NotFound`, `AlreadyExists`, `Conflict`; may be
    ///        empty
    public KubeException(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    public int code() {
        return code;
    }

    public String reason() {
        return reason;
    }

    public boolean isNotFound() {
        return code == 404;
    }

    public boolean isConflict() {
        return code == 409;
    }

    /// A verb that the operator's role does not allow.
    public boolean isForbidden() {
        return code == 403;
    }

    /// A disruption budget, or a server that has too much to do.
    public boolean isTooManyRequests() {
        return code == 429;
    }

    /// A watch that must begin anew with a list.
    public boolean isGone() {
        return code == 410;
    }

    /// The request may succeed later without a change: no answer, or a fault of the server.
    public boolean isTransient() {
        return code == 0 || code == 429 || code >= 500;
    }
}
