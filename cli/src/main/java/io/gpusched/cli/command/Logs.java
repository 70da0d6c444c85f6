package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.rest.Rest;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.rest.Unreachable;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;

/// Copies what a job has written, byte for byte. With `-f` goes on until the job has ended and then
/// exits as the job did; a connection that breaks meanwhile is taken up where it broke.
final class Logs implements Action {
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
    public int run(Session session, Typed typed) {
        String id = typed.operand(0);
        Route route =
                Route.to("jobs", id, "logs")
                        .with("task", typed.has(TASK) ? typed.of(TASK).toString() : "")
                        .with("attempt", typed.has(ATTEMPT) ? typed.of(ATTEMPT).toString() : "");
        var out = new Tally(session.printer().raw(), typed.of(OFFSET));
        boolean follows = typed.of(FOLLOW);
        long from = Math.max(0, out.at);
        if (typed.has(TAIL)) {
            out.at = LastLines.print(session, route, typed.of(TAIL));
        } else if (!follows || out.at < 0) {
            copy(session, route, out);
        }
        if (follows) {
            out.behind = !typed.has(TAIL) && typed.of(OFFSET) >= 0;
            return follow(session, id, route, out, typed.has(TASK));
        }
        if (out.at == from || !typed.has(TASK)) {
            remarks(session, id, out.at == from, typed.has(TASK));
        }
        return 0;
    }

    /// What was asked for has been shown; that nothing more is known of it is no failure.
    private static void remarks(Session session, String id, boolean empty, boolean chosen) {
        try {
            Json job = session.job(id);
            if (empty) {
                silence(session, job);
            }
            if (!chosen) {
                oneOfMany(session, job);
            }
        } catch (Unreachable | Refused unknown) {
            return;
        }
    }

    private static void oneOfMany(Session session, Json job) {
        long tasks = job.at("tasks").number(1);
        if (tasks > 1) {
            session.printer().remark("gpu-cli: task 0 of " + tasks + "; others with --task");
        }
    }

    /// Nothing to show is worth a word: a job that waits cannot have written anything.
    private static void silence(Session session, Json job) {
        String id = job.firstOf("job_id", "id").text();
        String state = Ending.stateOf(job);
        if (Ending.isWaiting(job) || state.equals("scheduled")) {
            String why = job.at("message").text();
            session.printer()
                    .remark(
                            "gpu-cli: %s is %s%s; what it writes appears when it runs"
                                    .formatted(id, state, why.isEmpty() ? "" : " (" + why + ")"));
        }
        long runs = job.at("attempts").number(0);
        if (Ending.isWaiting(job) && runs > 0) {
            session.printer()
                    .remark(
                            "gpu-cli: earlier output: gpu-cli logs %s --attempt %d"
                                    .formatted(id, runs));
        }
    }

    private static void copy(Session session, Route route, Tally out) {
        long piece = PIECE;
        while (piece >= PIECE) {
            long asked = out.at;
            Rest.Copied copied =
                    session.rest()
                            .copy(
                                    from(route, asked),
                                    out,
                                    false,
                                    start -> gap(session, asked, start));
            out.at = copied.next() >= 0 ? copied.next() : out.at;
            piece = copied.bytes();
        }
    }

    /// Machines keep the newest part of what a task writes.
    private static void gap(Session session, long asked, long start) {
        if (asked >= 0 && start > asked) {
            session.printer()
                    .remark(
                            "gpu-cli: %s %d bytes are no longer kept"
                                    .formatted(
                                            asked == 0 ? "the oldest" : "the next", start - asked));
        }
    }

    private static int follow(Session session, String id, Route route, Tally out, boolean chosen) {
        Json job = session.job(id);
        silence(session, job);
        if (!chosen) {
            oneOfMany(session, job);
        }
        out.behind &= !Ending.isWaiting(job);
        boolean told = false;
        for (int failures = 0; failures <= PATIENCE; failures++) {
            Json before = job;
            try {
                Refused away = copyWhatComes(session, route, out);
                if (away != null && !told) {
                    session.printer().remark("gpu-cli: " + away.sentence() + "; still trying");
                }
                told = away != null;
                job = session.job(id);
                failures = 0;
            } catch (Unreachable | Refused away) {
                if (failures == PATIENCE || away instanceof Refused no && !no.passes()) {
                    throw away;
                }
            }
            if (Ending.hasEnded(job)) {
                rest(session, route, out);
                return Ending.exitCode(job);
            }
            if (isAnotherRun(before, job)) {
                out.at = 0;
            }
            if (!session.pace().pause(PAUSE)) {
                break;
            }
        }
        return Ending.NOT_FINISHED;
    }

    /// What was written before is copied first: only so the server says where it begins, and bytes
    /// that are no longer kept would be counted wrongly.
    ///
    /// Output whose machine is away says nothing about the job, which may have ended meanwhile.
    ///
    /// @return why nothing comes; null where something may have come
    private static @Nullable Refused copyWhatComes(Session session, Route route, Tally out) {
        try {
            if (out.behind) {
                copy(session, route, out);
                out.behind = false;
            }
            session.rest().copy(from(route, out.at).with("follow", "true"), out, true);
            return null;
        } catch (Refused away) {
            if (!away.passes()) {
                throw away;
            }
            return away;
        }
    }

    /// What was written between the last piece and the end; a machine that is gone keeps it.
    private static void rest(Session session, Route route, Tally out) {
        try {
            copy(session, route, out);
        } catch (Refused gone) {
            session.printer().remark("gpu-cli: the end of the log is missing: " + gone.sentence());
        }
    }

    /// A job that was stopped and started again writes a new log, from its beginning.
    private static boolean isAnotherRun(Json before, Json now) {
        return !before.at("attempts").equals(now.at("attempts")) && !before.at("attempts").isNil();
    }

    private static Route from(Route route, long offset) {
        return route.with("offset", Long.toString(offset));
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
