package io.gpusched.core.model;

/// Why a job lost its run and waits in the queue again.
///
/// @param forgiven earlier losses that no longer count, because the run lasted long enough
public record RequeueCause(Kind kind, int forgiven) {
    public enum Kind {
        /// Another job preempted it.
        PREEMPTED,
        /// Its node was drained, or no longer has the GPUs it held.
        DRAINED,
        /// The run was lost with its node, or could not be started.
        LOST,
        /// It goes on elsewhere, or waits for spot capacity, because of its deadline.
        MOVED,
        /// Its start was withdrawn, and nobody is to blame: nothing is counted.
        WITHDRAWN
    }

    public RequeueCause {
        Check.that(forgiven >= 0, "forgiven losses are not negative, found %s", forgiven);
    }
}
