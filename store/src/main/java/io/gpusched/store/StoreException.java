package io.gpusched.store;

import org.jspecify.annotations.Nullable;

/// The store cannot do what it was asked. Errors that pass by themselves are waited for and never
/// get here.
public final class StoreException extends RuntimeException {
    /// What the caller can do about it.
    public enum Kind {
        /// Somebody else has the store open; nothing was touched.
        LOCKED,
        /// Somebody else has taken charge, or the batch is not the next one; nothing was written.
        FENCED,
        /// What was read is not what was written.
        DAMAGED,
        /// What was asked for is so old that it was deleted.
        PRUNED,
        /// The store was closed while it waited.
        CLOSED,
        /// Anything else that does not pass by itself.
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
