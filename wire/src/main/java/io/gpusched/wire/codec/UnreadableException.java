package io.gpusched.wire.codec;

import org.jspecify.annotations.Nullable;

/// Thrown for bytes that are damaged, truncated or written by a newer release. The decoders throw
/// no other exception, whatever the input.
public final class UnreadableException extends RuntimeException {
    public UnreadableException(String message) {
        super(message);
    }

    public UnreadableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /// For a kind that this build does not know, or that is missing.
    static UnreadableException unknown(String what, Object found) {
        return new UnreadableException(
                "expected a known "
                        + what
                        + ", found "
                        + found
                        + ": the bytes are damaged or were written by a newer release");
    }
}
