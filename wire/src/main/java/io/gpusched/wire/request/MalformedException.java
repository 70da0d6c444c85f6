package io.gpusched.wire.request;

import org.jspecify.annotations.Nullable;

/// Thrown for text that is not valid JSON. The readers throw no other exception, whatever the
/// input. The message says where and what is wrong.
public final class MalformedException extends RuntimeException {
    private final String field;
    private final boolean tooLarge;

    public MalformedException(String message, @Nullable Throwable cause, String field) {
        this(message, cause, field, false);
    }

    public MalformedException(
            String message, @Nullable Throwable cause, String field, boolean tooLarge) {
        super(message, cause);
        this.field = field;
        this.tooLarge = tooLarge;
    }

    /// Path of the field, such as `command[1]`; empty if it is in no field.
    public String field() {
        return field;
    }

    /// Whether the text was refused only for its size.
    public boolean tooLarge() {
        return tooLarge;
    }

    /// The message for the user.
    public String says() {
        return String.valueOf(getMessage());
    }
}
