package io.gpusched.wire.request;

import org.jspecify.annotations.Nullable;

/// Text that is not what it claims to be. The readers throw this and nothing else, whatever they
/// are fed; the message says where, and what is wrong there.
public final class MalformedException extends RuntimeException {
    private final String field;
    private final boolean tooLarge;

    MalformedException(String message, @Nullable Throwable cause, String field) {
        this(message, cause, field, false);
    }

    MalformedException(String message, @Nullable Throwable cause, String field, boolean tooLarge) {
        super(message, cause);
        this.field = field;
        this.tooLarge = tooLarge;
    }

    /// Where it stands, such as `command[1]`; empty where it is in no field.
    public String field() {
        return field;
    }

    /// Whether it was refused for its size alone.
    public boolean tooLarge() {
        return tooLarge;
    }

    /// What to tell the user.
    public String says() {
        return String.valueOf(getMessage());
    }
}
