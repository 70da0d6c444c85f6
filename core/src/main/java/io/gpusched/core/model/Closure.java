package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Who closed a node to new tasks, and why.
///
/// @param by the person; empty when the scheduler did it by itself
/// @param why a phrase for people; empty when nothing was recorded
/// @param stopAt when the scheduler stops jobs that still run on a draining node; null for never
public record Closure(String by, String why, @Nullable Instant stopAt) {
    /// Of an open node, and of nodes that older releases closed.
    public static final Closure NONE = new Closure("", "", null);

    public static Closure by(String person, String why) {
        return new Closure(person, why, null);
    }

    /// Closed by the scheduler itself.
    public static Closure automatic(String why) {
        return new Closure("", why, null);
    }

    public boolean isAutomatic() {
        return by.isEmpty() && !why.isEmpty();
    }

    public Closure stopAt(@Nullable Instant when) {
        return new Closure(by, why, when);
    }
}
