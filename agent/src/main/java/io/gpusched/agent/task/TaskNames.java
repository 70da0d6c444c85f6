package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskRef;

/// How tasks are spelled in file names, logs and the environment of their processes.
public final class TaskNames {
    /// Variable that every process of a task carries; its value is different for every task.
    static final String COOKIE = "GPU_SCHEDULER_TASK_COOKIE";

    private TaskNames() {}

    /// For example `7.1.3.0`: job 7, attempt 1 of term 3, rank 0. Unique for ever.
    public static String name(TaskRef task) {
        return task.getJob()
                + "."
                + task.getAttempt()
                + "."
                + task.getTerm()
                + "."
                + task.getRank();
    }

    /// The cookie's value. It ends with a mark, so that none is the beginning of another, and holds
    /// the agent's instance, so that two agents on one machine leave each other's tasks alone.
    static String cookie(String instance, TaskRef task) {
        return instance + "/" + name(task) + ";";
    }
}
