package io.gpusched.lab.environment;

/// A request, or an option, cannot be used. The message says what was expected and what was found.
public final class RequestError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String field;

    RequestError(String field, String message) {
        super(message);
        this.field = field;
    }

    /// The path of the field, such as `make.num_gpus`; empty if the error is in no field.
    public String field() {
        return field;
    }

    /// The message for the user.
    public String says() {
        return String.valueOf(getMessage());
    }
}
