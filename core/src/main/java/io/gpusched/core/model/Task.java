package io.gpusched.core.model;

import java.time.Instant;

/// The desired state of one task on its node.
public record Task(
        AttemptId attempt, int rank, JobSpec spec, Slot slot, Placement all, Order order) {
    /// What the node should do with the task.
    public sealed interface Order {
        Order PREPARE = new Prepare();
        Order RUN = new Run();

        /// Prepare the task, but wait for the other tasks of the gang.
        record Prepare() implements Order {}

        record Run() implements Order {}

        /// Stop the task: with a signal at once, by force at the deadline.
        record Stop(StopCause cause, Instant deadline) implements Order {}
    }
}
