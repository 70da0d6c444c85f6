package io.gpusched.operator.kube;

/// How to delete an object.
///
/// @param uid delete only the object with this UID; empty for any
/// @param graceSeconds negative for the object's own
/// @param propagation `Background`, `Foreground` or `Orphan`; empty for the type's default
public record DeleteOptions(String uid, long graceSeconds, String propagation) {
    /// Only this very object, with its own grace period.
    public static DeleteOptions only(String uid) {
        return new DeleteOptions(uid, -1, "");
    }

    public DeleteOptions grace(long seconds) {
        return new DeleteOptions(uid, seconds, propagation);
    }

    public DeleteOptions propagate(String how) {
        return new DeleteOptions(uid, graceSeconds, how);
    }
}
