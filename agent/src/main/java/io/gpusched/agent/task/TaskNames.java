package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskRef;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How tasks are spelled in file names, logs and the environment of their processes.
public final class TaskNames {
    /// Variable that every process of a task carries; its value is different for every task.
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

    /// The task of this name; null where the text names none.
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

    /// The cookie's value. It ends with a mark, so that none is the beginning of another, and holds
    /// the agent's instance, so that two agents on one machine leave each other's tasks alone.
    static String cookie(String instance, TaskRef task) {
        return instance + "/" + name(task) + ";";
    }
}
