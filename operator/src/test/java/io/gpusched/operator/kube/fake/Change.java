package io.gpusched.operator.kube.fake;

import org.jspecify.annotations.Nullable;

/// What a watch may have to tell: an object before and after a change.
///
/// @param before null for an object that is new
/// @param after null for an object that is gone
/// @param last the last state of the object, with the version of the change
record Change(@Nullable Stored before, @Nullable Stored after, Stored last) {
    long version() {
        return last.version();
    }

    /// How it looks to somebody who sees only what the selector matches; empty if it does not.
    String type(Selector selector) {
        boolean wasSeen = before != null && selector.matches(before.object());
        boolean isSeen = after != null && selector.matches(after.object());
        if (wasSeen) {
            return isSeen ? "MODIFIED" : "DELETED";
        }
        return isSeen ? "ADDED" : "";
    }
}
