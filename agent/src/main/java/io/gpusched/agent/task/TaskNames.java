package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskRef;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The names of tasks in files, logs and the environment of their processes.
public final class TaskNames {
    /// Environment variable of every process of a task; each task has its own value.
    static final String COOKIE = "GPU_SCHEDULER_TASK_COOKIE";

    private static final Pattern NAME =
            Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})\\.([0-9]{1,18})\\.([0-9]{1,9})");

    private TaskNames() {}

    /// For example `7.1.3.0`: job 7, attempt 1 of term 3, rank 0. No two tasks share a name.
    public static String name(TaskRef task) {
        return task.getJob()
                + "."
                + task.getAttempt()
                + "."
                + task.getTerm()
                + "."
                + task.getRank();
    }

    /// The task of this name; null if the text is not a task name.
    static @Nullable TaskRef parse(String name) {
        Matcher parts = NAME.matcher(name);
        return !parts.matches()
                ? null
                : TaskRef.newBuilder()
                        .setJob(Long.parseLong(parts.group(1)))
                        .setAttempt(Integer.parseInt(parts.group(2)))
                        .setTerm(Long.parseLong(parts.group(3)))
                        .setRank(Integer.parseInt(parts.group(4)))
                        .build();
    }

    /// The cookie's value. It ends with a delimiter, so that no cookie is a prefix of another. It
    /// contains the agent's instance, so that two agents on one machine do not touch each other's
    /// tasks.
    static String cookie(String instance, TaskRef task) {
        return instance + "/" + name(task) + ";";
    }
}
