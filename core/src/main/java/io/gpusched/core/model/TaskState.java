package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

/// The state of one task of a run, as last reported.
public sealed interface TaskState {

    /// Sent to its node; the agent has not reported on it yet.
    record Assigned() implements TaskState {}

    /// Ready to run; waits for the other tasks of its gang.
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
