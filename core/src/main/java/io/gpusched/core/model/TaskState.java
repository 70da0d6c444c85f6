package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// How far one task of a run has come.
public sealed interface TaskState {

    /// Sent to its node, nothing heard yet.
    record Assigned() implements TaskState {}

    /// Ready to go; waits for the others of its gang.
    record Prepared() implements TaskState {}

    record Running() implements TaskState {}

    record Ended(Exit exit) implements TaskState {}

    default boolean ended() {
        return this instanceof Ended;
    }

    default @Nullable Exit exit() {
        return this instanceof Ended ended ? ended.exit() : null;
    }
}
