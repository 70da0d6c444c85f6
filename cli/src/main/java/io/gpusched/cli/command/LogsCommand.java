package io.gpusched.cli.command;

import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Rest;
import io.gpusched.cli.rest.Unreachable;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;

/// Prints the output of a job, byte for byte. With `-f` it continues until the job has ended, and
/// then exits with the job's code. If the connection breaks meanwhile, it resumes at the same
/// offset.
final class LogsCommand implements CliCommand {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// How often in a row the connection may fail while following.
    private static final int PATIENCE = 300;

    /// The server may split a long log; after a part of at least this size there may be another.
    private static final long PIECE = 64 << 10;

    private static final Option<Boolean> FOLLOW =
            Option.flag(
                    "-f --follow", "Print new output until the job has ended; exit with its code.");
    private static final Option<Long> TASK =
            Option.whole("--task", "N", "Task of a gang, counted from 0 (default: 0).");
    private static final Option<Long> ATTEMPT =
            Option.whole(
                    "--attempt", "N", "Attempt of the job, counted from 1 (default: the latest).");
    private static final Option<Long> TAIL =
            Option.count("--tail", "N", "Print only the last N lines.");
    private static final Option<Long> OFFSET =
            Option.whole(
                    "--offset",
                    "BYTES",
                    "Bytes to skip; a negative number prints only the last bytes.");

    @Override
    public Syntax syntax() {
        return Syntax.of("logs", "Print the output of a job.")
                .with(FOLLOW, TASK, ATTEMPT, TAIL, OFFSET)
                .taking(Operand.one("JOB", "Id of the job."))
                .examples(
                        "Examples:",
                        "  gpu-cli logs job-7 -f",
                        "  gpu-cli logs job-7 --tail 20",
                        "  gpu-cli logs job-7 --attempt 1    # before it was stopped and started"
                                + " again",
                        "  gpu-cli logs job-7 --task 3 > rank3.txt");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String id = parsedArguments.operand(0);
        ApiPath apiPath =
                ApiPath.to("jobs", id, "logs")
                        .with(
                                "task",
                                parsedArguments.has(TASK)
                                        ? parsedArguments.of(TASK).toString()
                                        : "")
                        .with(
                                "attempt",
                                parsedArguments.has(ATTEMPT)
                                        ? parsedArguments.of(ATTEMPT).toString()
                                        : "");
        var out = new CountingOutput(cliSession.printer().raw(), parsedArguments.of(OFFSET));
        boolean follows = parsedArguments.of(FOLLOW);
        long from = Math.max(0, out.at);
        if (parsedArguments.has(TAIL)) {
            out.at = LastLines.print(cliSession, apiPath, parsedArguments.of(TAIL));
        } else if (!follows || out.at < 0) {
            copy(cliSession, apiPath, out);
        }
        if (follows) {
            out.behind = !parsedArguments.has(TAIL) && parsedArguments.of(OFFSET) >= 0;
            return follow(cliSession, id, apiPath, out, parsedArguments.has(TASK));
        }
        if (out.at == from || !parsedArguments.has(TASK)) {
            explainMissingOutput(cliSession, id, out.at == from, parsedArguments.has(TASK));
        }
        return 0;
    }

    /// Explains missing output. The exit code is not affected.
    private static void explainMissingOutput(
            CliSession cliSession, String id, boolean empty, boolean chosen) {
        try {
            Json job = cliSession.job(id);
            if (empty) {
                explainEmptyLog(cliSession, job);
            }
            if (!chosen) {
                noteOtherTasks(cliSession, job);
            }
        } catch (Unreachable | RequestRefused unknown) {
            return;
        }
    }

    private static void noteOtherTasks(CliSession cliSession, Json job) {
        long tasks = job.at("tasks").number(1);
        if (tasks > 1) {
            cliSession
                    .printer()
                    .remark("gpu-cli: this is task 0 of " + tasks + "; choose another with --task");
        }
    }

    /// Explains an empty log: a waiting job has no output yet.
    private static void explainEmptyLog(CliSession cliSession, Json job) {
        String id = job.firstOf("job_id", "id").text();
        String state = ExitStatus.stateOf(job);
        if (ExitStatus.isWaiting(job) || state.equals("scheduled")) {
            String why = job.at("message").text();
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: %s is %s%s; it has no output until it runs"
                                    .formatted(id, state, why.isEmpty() ? "" : " (" + why + ")"));
        }
        long runs = job.at("attempts").number(0);
        if (ExitStatus.isWaiting(job) && runs > 0) {
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: earlier output: gpu-cli logs %s --attempt %d"
                                    .formatted(id, runs));
        }
    }

    private static void copy(CliSession cliSession, ApiPath apiPath, CountingOutput out) {
        long piece = PIECE;
        while (piece >= PIECE) {
            long offset = out.at;
            Rest.Copied copied =
                    cliSession
                            .rest()
                            .copy(
                                    from(apiPath, offset),
                                    out,
                                    false,
                                    start -> noteDroppedBytes(cliSession, offset, start));
            out.at = copied.next() >= 0 ? copied.next() : out.at;
            piece = copied.bytes();
        }
    }

    /// Nodes keep only the newest part of a task's output.
    private static void noteDroppedBytes(CliSession cliSession, long offset, long start) {
        if (offset >= 0 && start > offset) {
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: %s %d bytes are no longer kept"
                                    .formatted(
                                            offset == 0 ? "the oldest" : "the next",
                                            start - offset));
        }
    }

    private static int follow(
            CliSession cliSession, String id, ApiPath apiPath, CountingOutput out, boolean chosen) {
        Json job = cliSession.job(id);
        explainEmptyLog(cliSession, job);
        if (!chosen) {
            noteOtherTasks(cliSession, job);
        }
        out.behind &= !ExitStatus.isWaiting(job);
        boolean reported = false;
        for (int failures = 0; failures <= PATIENCE; failures++) {
            Json before = job;
            try {
                RequestRefused away = copyNewOutput(cliSession, apiPath, out);
                if (away != null && !reported) {
                    cliSession.printer().remark("gpu-cli: " + away.sentence() + "; still trying");
                }
                reported = away != null;
                job = cliSession.job(id);
                failures = 0;
            } catch (Unreachable | RequestRefused away) {
                if (failures == PATIENCE
                        || away instanceof RequestRefused no && !no.isTemporary()) {
                    throw away;
                }
            }
            if (ExitStatus.hasEnded(job)) {
                rest(cliSession, apiPath, out);
                return ExitStatus.exitCode(job);
            }
            if (isAnotherRun(before, job)) {
                out.at = 0;
            }
            if (!cliSession.pollingClock().pause(PAUSE)) {
                break;
            }
        }
        return ExitStatus.NOT_FINISHED;
    }

    /// Copies output while it is written. Existing output is copied first, because only then does
    /// the server say at which offset it begins; otherwise dropped bytes would be counted wrongly.
    ///
    /// An unreachable node says nothing about the job, which may have ended meanwhile.
    ///
    /// @return why there is no output; null if there may have been some
    private static @Nullable RequestRefused copyNewOutput(
            CliSession cliSession, ApiPath apiPath, CountingOutput out) {
        try {
            if (out.behind) {
                copy(cliSession, apiPath, out);
                out.behind = false;
            }
            cliSession.rest().copy(from(apiPath, out.at).with("follow", "true"), out, true);
            return null;
        } catch (RequestRefused away) {
            if (!away.isTemporary()) {
                throw away;
            }
            return away;
        }
    }

    /// Copies the output between the last part and the end of the job, if its node can be reached.
    private static void rest(CliSession cliSession, ApiPath apiPath, CountingOutput out) {
        try {
            copy(cliSession, apiPath, out);
        } catch (RequestRefused gone) {
            cliSession
                    .printer()
                    .remark("gpu-cli: the end of the log is missing: " + gone.sentence());
        }
    }

    /// A job that was restarted writes a new log.
    private static boolean isAnotherRun(Json before, Json now) {
        return !before.at("attempts").equals(now.at("attempts")) && !before.at("attempts").isNil();
    }

    private static ApiPath from(ApiPath apiPath, long offset) {
        return apiPath.with("offset", Long.toString(offset));
    }

    /// Counts the current offset in the log.
    private static final class CountingOutput extends OutputStream {
        private final PrintStream out;
        private long at;

        /// Whether there may be output from before this command started.
        private boolean behind;

        CountingOutput(PrintStream out, long at) {
            this.out = out;
            this.at = at;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            out.write(bytes, start, length);
            at += length;
            if (out.checkError()) {
                throw new IOException("standard output is closed");
            }
        }
    }
}
