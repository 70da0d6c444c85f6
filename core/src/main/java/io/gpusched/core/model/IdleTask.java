package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A task that holds GPUs and has not used them for a while.
///
/// @param since from when on they have hardly been used
public record IdleTask(AttemptId attempt, int rank, Instant since) {
    /// What is known about the tasks of a run.
    @FunctionalInterface
    public interface Known {
        /// The task's idleness; null when it is busy.
        @Nullable IdleTask of(int rank);
    }

    /// From when on no task of the run has used its GPUs; null while one does, or may without our
    /// knowing. Tasks without GPUs and those that have ended do not count.
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
