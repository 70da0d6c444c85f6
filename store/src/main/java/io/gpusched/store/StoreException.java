package io.gpusched.store;

import org.jspecify.annotations.Nullable;

/// Thrown when the store cannot do its work. Temporary errors are retried and never thrown.
public final class StoreException extends RuntimeException {
    /// The kind of failure.
    public enum Kind {
        /// Another process has the store open; nothing was changed.
        LOCKED,
        /// Another scheduler has taken over, or the batch is not the next one; nothing was written.
        FENCED,
        /// Stored data is damaged.
        DAMAGED,
        /// The requested data is so old that it was deleted.
        PRUNED,
        /// The store was closed while the call waited.
        CLOSED,
        /// Any other permanent error.
        BROKEN
    }

    private final Kind kind;

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    static StoreException broken(String doing, Exception cause) {
        return new StoreException(Kind.BROKEN, doing + " failed: " + cause.getMessage(), cause);
    }
}
