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

/// Copies what a job has written, byte for byte. With `-f` goes on until the job has ended and then
/// exits as the job did; a connection that breaks meanwhile is taken up where it broke.
final class LogsCommand implements CliCommand {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// How often in a row a follower may find nobody at the other end.
    private static final int PATIENCE = 300;

    /// A server may cut a long log into pieces; a piece at least this large may have a successor.
    private static final long PIECE = 64 << 10;

    private static final Option<Boolean> FOLLOW =
            Option.flag("-f --follow", "Go on until the job has ended, and exit with its code.");
    private static final Option<Long> TASK = Option.whole("--task", "N", "Task of a gang, from 0.");
    private static final Option<Long> ATTEMPT =
            Option.whole("--attempt", "N", "An earlier run of the job, from 1.");
    private static final Option<Long> TAIL = Option.count("--tail", "N", "Only the last N lines.");
    private static final Option<Long> OFFSET =
            Option.whole("--offset", "BYTES", "Bytes to skip; negative to show only the last.");

    @Override
    public Syntax syntax() {
        return Syntax.of("logs", "Show what a job has written.")
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
        var out = new Tally(cliSession.printer().raw(), parsedArguments.of(OFFSET));
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
            remarks(cliSession, id, out.at == from, parsedArguments.has(TASK));
        }
        return 0;
    }

    /// What was asked for has been shown; that nothing more is known of it is no failure.
    private static void remarks(CliSession cliSession, String id, boolean empty, boolean chosen) {
        try {
            Json job = cliSession.job(id);
            if (empty) {
                silence(cliSession, job);
            }
            if (!chosen) {
                oneOfMany(cliSession, job);
            }
        } catch (Unreachable | RequestRefused unknown) {
            return;
        }
    }

    private static void oneOfMany(CliSession cliSession, Json job) {
        long tasks = job.at("tasks").number(1);
        if (tasks > 1) {
            cliSession.printer().remark("gpu-cli: task 0 of " + tasks + "; others with --task");
        }
    }

    /// Nothing to show is worth a word: a job that waits cannot have written anything.
    private static void silence(CliSession cliSession, Json job) {
        String id = job.firstOf("job_id", "id").text();
        String state = ExitStatus.stateOf(job);
        if (ExitStatus.isWaiting(job) || state.equals("scheduled")) {
            String why = job.at("message").text();
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: %s is %s%s; what it writes appears when it runs"
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

    private static void copy(CliSession cliSession, ApiPath apiPath, Tally out) {
        long piece = PIECE;
        while (piece >= PIECE) {
            long asked = out.at;
            Rest.Copied copied =
                    cliSession
                            .rest()
                            .copy(
                                    from(apiPath, asked),
                                    out,
                                    false,
                                    start -> gap(cliSession, asked, start));
            out.at = copied.next() >= 0 ? copied.next() : out.at;
            piece = copied.bytes();
        }
    }

    /// Machines keep the newest part of what a task writes.
    private static void gap(CliSession cliSession, long asked, long start) {
        if (asked >= 0 && start > asked) {
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: %s %d bytes are no longer kept"
                                    .formatted(
                                            asked == 0 ? "the oldest" : "the next", start - asked));
        }
    }

    private static int follow(
            CliSession cliSession, String id, ApiPath apiPath, Tally out, boolean chosen) {
        Json job = cliSession.job(id);
        silence(cliSession, job);
        if (!chosen) {
            oneOfMany(cliSession, job);
        }
        out.behind &= !ExitStatus.isWaiting(job);
        boolean told = false;
        for (int failures = 0; failures <= PATIENCE; failures++) {
            Json before = job;
            try {
                RequestRefused away = copyWhatComes(cliSession, apiPath, out);
                if (away != null && !told) {
                    cliSession.printer().remark("gpu-cli: " + away.sentence() + "; still trying");
                }
                told = away != null;
                job = cliSession.job(id);
                failures = 0;
            } catch (Unreachable | RequestRefused away) {
                if (failures == PATIENCE || away instanceof RequestRefused no && !no.passes()) {
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

    /// What was written before is copied first: only so the server says where it begins, and bytes
    /// that are no longer kept would be counted wrongly.
    ///
    /// Output whose machine is away says nothing about the job, which may have ended meanwhile.
    ///
    /// @return why nothing comes; null where something may have come
    private static @Nullable RequestRefused copyWhatComes(
            CliSession cliSession, ApiPath apiPath, Tally out) {
        try {
            if (out.behind) {
                copy(cliSession, apiPath, out);
                out.behind = false;
            }
            cliSession.rest().copy(from(apiPath, out.at).with("follow", "true"), out, true);
            return null;
        } catch (RequestRefused away) {
            if (!away.passes()) {
                throw away;
            }
            return away;
        }
    }

    /// What was written between the last piece and the end; a machine that is gone keeps it.
    private static void rest(CliSession cliSession, ApiPath apiPath, Tally out) {
        try {
            copy(cliSession, apiPath, out);
        } catch (RequestRefused gone) {
            cliSession
                    .printer()
                    .remark("gpu-cli: the end of the log is missing: " + gone.sentence());
        }
    }

    /// A job that was stopped and started again writes a new log, from its beginning.
    private static boolean isAnotherRun(Json before, Json now) {
        return !before.at("attempts").equals(now.at("attempts")) && !before.at("attempts").isNil();
    }

    private static ApiPath from(ApiPath apiPath, long offset) {
        return apiPath.with("offset", Long.toString(offset));
    }

    /// Counts where in the log we are.
    private static final class Tally extends OutputStream {
        private final PrintStream out;
        private long at;

        /// Whether there may be output from before we came.
        private boolean behind;

        Tally(PrintStream out, long at) {
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
                throw new IOException("nobody reads what we write");
            }
        }
    }
}
