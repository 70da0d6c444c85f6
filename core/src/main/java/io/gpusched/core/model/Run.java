package io.gpusched.core.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// One run of a job: the placement of its tasks and the state of each, by rank.
public record Run(AttemptId id, Placement on, Instant placed, List<TaskState> tasks) {
    public Run {
        tasks = List.copyOf(tasks);
        Check.that(
                tasks.size() == on.slots().size(),
                "%s has %s slots and %s tasks",
                id,
                on.slots().size(),
                tasks.size());
    }

    public static Run placed(AttemptId id, Placement on, Instant now) {
        return new Run(
                id, on, now, Collections.nCopies(on.slots().size(), new TaskState.Assigned()));
    }

    public Run with(int rank, TaskState state) {
        if (tasks.size() == 1) {
            Check.that(rank == 0, "%s has one task, there is no rank %s", id, rank);
            return new Run(id, on, placed, List.of(state));
        }
        var changed = new ArrayList<>(tasks);
        changed.set(rank, state);
        return new Run(id, on, placed, changed);
    }

    /// Whether it has more than one task. Such a run starts in two steps: all tasks are prepared
    /// before any runs.
    public boolean gang() {
        return tasks.size() > 1;
    }

    public boolean allEnded() {
        for (TaskState task : tasks) {
            if (!task.ended()) {
                return false;
            }
        }
        return true;
    }

    /// Whether every task is at least prepared, so that the gang may run.
    public boolean mayGo() {
        for (TaskState task : tasks) {
            if (task instanceof TaskState.Assigned) {
                return false;
            }
        }
        return true;
    }

    /// Whether every task is running or has run.
    public boolean allStarted() {
        for (TaskState task : tasks) {
            if (!(task instanceof TaskState.Running || task.ended())) {
                return false;
            }
        }
        return true;
    }
}
