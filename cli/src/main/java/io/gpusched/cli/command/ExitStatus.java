package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;

/// How the end of a job becomes the end of a command, by the customs of other schedulers: the job's
/// own exit code where it has one, a signal as 128 plus its number, and codes from 100 on for what
/// is no exit of the job.
final class ExitStatus {
    /// The job failed without an exit code: it never ran, or its node was lost.
    static final int FAILED = 100;

    /// We stopped waiting before the job ended.
    static final int NOT_FINISHED = 101;

    /// The server knows no such job.
    static final int NOT_FOUND = 102;

    /// Somebody cancelled the job.
    static final int CANCELLED = 103;

    private ExitStatus() {}

    static String stateOf(Json job) {
        return job.firstOf("state", "status").text();
    }

    static boolean hasEnded(Json job) {
        return switch (stateOf(job)) {
            case "completed", "failed", "cancelled" -> true;
            default -> false;
        };
    }

    /// Whether the job stands in line.
    static boolean isWaiting(Json job) {
        return switch (stateOf(job)) {
            case "pending", "preempted" -> true;
            default -> false;
        };
    }

    static int exitCode(Json job) {
        return switch (stateOf(job)) {
            case "completed" -> 0;
            case "failed" -> failure(job.at("exit_code").number(0));
            case "cancelled" -> CANCELLED;
            default -> NOT_FINISHED;
        };
    }

    private static int failure(long code) {
        if (code < 0 && code >= -64) {
            return (int) (128 - code);
        }
        return code > 0 && code <= 255 ? (int) code : FAILED;
    }
}
