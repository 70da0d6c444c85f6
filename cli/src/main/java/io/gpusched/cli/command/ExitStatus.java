package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;

import java.util.List;

/// Maps the state of a job to an exit code, as other schedulers do: the job's own exit code if it
/// has one, 128 plus the number for a signal, and codes from 100 on for everything else.
final class ExitStatus {
    /// The job failed without an exit code: it never ran, or its node was lost.
    static final int FAILED = 100;

    /// The timeout expired before the job ended.
    static final int NOT_FINISHED = 101;

    /// The server does not know the job.
    static final int NOT_FOUND = 102;

    /// The job was cancelled.
    static final int CANCELLED = 103;

    /// The exit codes of all commands, for the help of the program.
    static final List<String> HELP =
            List.of(
                    "Exit codes: 0 success, 1 refused or failed, 2 invalid command line.",
                    "wait, submit --wait and logs --follow exit with the code of the job:",
                    "  0        the job completed",
                    "  1 - 255  the job failed with this exit code; 128+n: signal n ended it",
                    "  %d      the job failed without an exit code".formatted(FAILED),
                    "  %d      the job had not ended when the wait ended".formatted(NOT_FINISHED),
                    "  %d      there is no such job (wait only; the others exit with 1)"
                            .formatted(NOT_FOUND),
                    "  %d      the job was cancelled".formatted(CANCELLED));

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

    /// Whether the job waits in the queue.
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
