package io.gpusched.wire.request;

import org.jspecify.annotations.Nullable;

/// Text that is not what it claims to be. The readers throw this and nothing else, whatever they
/// are fed; the message says where, and what is wrong there.
public final class MalformedException extends RuntimeException {
    private final boolean tooLarge;

    MalformedException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    MalformedException(String message, @Nullable Throwable cause, boolean tooLarge) {
        super(message, cause);
        this.tooLarge = tooLarge;
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
