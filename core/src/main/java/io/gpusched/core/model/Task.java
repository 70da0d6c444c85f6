package io.gpusched.core.model;

import java.time.Instant;

/// One task as its node should have it now.
public record Task(
        AttemptId attempt, int rank, JobSpec spec, Slot slot, Placement all, Order order) {
    /// What the node should do with the task.
    public sealed interface Order {
        Order PREPARE = new Prepare();
        Order RUN = new Run();

        /// Get everything ready, but wait for the others of the gang.
        record Prepare() implements Order {}

        record Run() implements Order {}

        /// Stop it: politely at once, by force at the deadline.
        record Stop(StopCause cause, Instant deadline) implements Order {}
    }
}
