package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A task that holds GPUs and has not used them for a while.
///
/// @param since when the task stopped using them
public record IdleTask(AttemptId attempt, int rank, Instant since) {
    /// Look-up of idle tasks.
    @FunctionalInterface
    public interface Known {
        /// The idle record of the task; null when it is busy.
        @Nullable IdleTask of(int rank);
    }

    /// Since when no task of the run has used its GPUs; null while one uses them, or may use them
    /// without being measured. Tasks without GPUs and ended tasks do not count.
    public static @Nullable Instant allSince(Run run, Known known) {
        Instant since = null;
        for (Slot slot : run.on().slots()) {
            if (slot.grant() instanceof Grant.None || run.tasks().get(slot.rank()).ended()) {
                continue;
            }
            IdleTask task = known.of(slot.rank());
            if (task == null) {
                return null;
            }
            since = since == null || since.isBefore(task.since()) ? task.since() : since;
        }
        return since;
    }
}
