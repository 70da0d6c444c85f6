package io.gpusched.sim;

import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// A task on a simulated machine.
final class SimulatedTask {
    enum Stage {
        PREPARING,
        PREPARED,
        STARTING,
        RUNNING,
        STOPPING,
        ENDED
    }

    final TaskKey key;
    final Task task;
    Stage stage = Stage.PREPARING;
    /// Whether the start signal has arrived.
    boolean go;
    /// Whether it uses its GPUs.
    boolean occupies;
    /// Only the newest timer counts; the task ignores older ones.
    int timer;

    @Nullable Instant began;
    @Nullable Exit exit;

    SimulatedTask(Task task) {
        this.key = new TaskKey(task.attempt(), task.rank());
        this.task = task;
    }

    boolean ended() {
        return stage == Stage.ENDED;
    }

    /// The state of the task as the agent reports it in a hello.
    TaskState state() {
        return switch (stage) {
            case PREPARING -> new TaskState.Assigned();
            case PREPARED, STARTING -> new TaskState.Prepared();
            case RUNNING -> new TaskState.Running();
            case STOPPING -> began == null ? new TaskState.Prepared() : new TaskState.Running();
            case ENDED -> new TaskState.Ended(exitOf(exit));
        };
    }

    private static Exit exitOf(@Nullable Exit exit) {
        return exit == null ? new Exit(Exit.How.LOST, -1, "ended without a trace") : exit;
    }
}
