package io.gpusched.operator.pools;

/// The scheduler refused a request, or could not answer it.
final class ServerFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String field;
    private final String hint;

    /// @param status the HTTP status; 0 if no answer came
    /// @param field the field that is wrong; empty where none is named
    ServerFault(int status, String field, String message, String hint) {
        super(message, null, false, false);
        this.status = status;
        this.field = field;
        this.hint = hint;
    }

    /// The same about another field.
    ServerFault at(String other) {
        return new ServerFault(status, other, String.valueOf(getMessage()), hint);
    }

    String field() {
        return field;
    }

    String hint() {
        return hint;
    }

    boolean isNotFound() {
        return status == 404;
    }

    /// Whether the request itself is wrong. Otherwise it may succeed later as it is.
    boolean isRefusal() {
        return status == 400 || status == 403 || status == 404 || status == 409 || status == 413;
    }
}
