package io.gpusched.core.model;

/// Why the scheduler stops a run, with a sentence for people.
public record StopCause(Kind kind, String detail) {
    public enum Kind {
        CANCELLED,
        PREEMPTED,
        /// The node is being drained with eviction.
        DRAINED,
        /// A node under the gang was lost.
        NODE_LOST,
        /// Another task of the gang failed.
        TASK_FAILED,
        /// A task could not be started, or the gang was not ready in time.
        START_FAILED,
        /// It held GPUs for a long time without using them.
        IDLE,
        /// A replica that its pool no longer needs.
        SCALED_DOWN,
        /// A job with a deadline that goes on elsewhere, or waits for spot capacity.
        MOVED,
        /// The start of a task was withdrawn, and nobody is to blame.
        WITHDRAWN
    }
}
