package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Why a node is closed to new tasks, and by which operator.
///
/// @param by the operator; empty when the scheduler closed the node itself
/// @param why a phrase for people; empty when nothing was recorded
/// @param stopAt when the scheduler stops jobs that still run on a draining node; null for never
public record NodeClosure(String by, String why, @Nullable Instant stopAt) {
    /// For an open node, and for nodes that older releases closed.
    public static final NodeClosure NONE = new NodeClosure("", "", null);

    public static NodeClosure by(String person, String why) {
        return new NodeClosure(person, why, null);
    }

    /// Closed by the scheduler itself.
    public static NodeClosure automatic(String why) {
        return new NodeClosure("", why, null);
    }

    public boolean isAutomatic() {
        return by.isEmpty() && !why.isEmpty();
    }

    public NodeClosure stopAt(@Nullable Instant when) {
        return new NodeClosure(by, why, when);
    }
}
