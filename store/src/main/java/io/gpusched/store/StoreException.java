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
    private final String holder;

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, "");
    }

    private StoreException(Kind kind, String message, @Nullable Throwable cause, String holder) {
        super(message, cause);
        this.kind = kind;
        this.holder = holder;
    }

    /// @param holder the owner that has the store open; blank when it is unknown
    static StoreException locked(String message, String holder) {
        return new StoreException(Kind.LOCKED, message, null, holder);
    }

    public Kind kind() {
        return kind;
    }

    /// The owner that has the store open, if this is [Kind#LOCKED] and it is known; else blank.
    String holder() {
        return holder;
    }

    static StoreException broken(String doing, Exception cause) {
        return new StoreException(Kind.BROKEN, doing + " failed: " + cause.getMessage(), cause);
    }
}
