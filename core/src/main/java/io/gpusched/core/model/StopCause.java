package io.gpusched.core.model;

/// Why a run is being stopped, and a sentence for people.
public record StopCause(Kind kind, String detail) {
    public enum Kind {
        CANCELLED,
        PREEMPTED,
        /// The node is drained with eviction.
        DRAINED,
        /// A node under the gang was lost.
        NODE_LOST,
        /// Another task of the gang failed.
        TASK_FAILED,
        /// A task could not be started, or the gang was not ready in time.
        START_FAILED,
        /// It held GPUs for long without using them.
        IDLE
    }
}
