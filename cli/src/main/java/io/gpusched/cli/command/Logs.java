package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.rest.Unreachable;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Option;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.io.IOException;
import java.io.OutputStream;
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
    private static final Option<Long> OFFSET = Option.whole("--offset", "BYTES", "Bytes to skip.");

    @Override
    public Syntax syntax() {
        return Syntax.of("logs", "Show what a job has written.")
                .with(FOLLOW, TASK, OFFSET)
                .taking(Operand.one("JOB", "Id of the job."))
                .examples(
                        "Examples:",
                        "  gpu-cli logs job-7 -f",
                        "  gpu-cli logs job-7 --task 3 > rank3.txt");
    }

    @Override
    public int run(Session session, Typed typed) {
        String id = typed.operand(0);
        Route route =
                Route.to("jobs", id, "logs")
                        .with("task", typed.has(TASK) ? typed.of(TASK).toString() : "");
        var out = new Tally(session.printer().raw(), typed.of(OFFSET));
        return typed.of(FOLLOW) ? followed(session, id, route, out) : copied(session, route, out);
    }

    private static int copied(Session session, Route route, Tally out) {
        long piece = PIECE;
        while (piece >= PIECE && !session.printer().isClosed()) {
            piece = session.rest().copy(from(route, out.at), out, false);
        }
        return 0;
    }

    private static int followed(Session session, String id, Route route, Tally out) {
        Json job = session.job(id);
        int failures = 0;
        while (!session.printer().isClosed()) {
            try {
                session.rest().copy(from(route, out.at).with("follow", "true"), out, true);
                job = session.job(id);
                failures = 0;
            } catch (Unreachable away) {
                if (++failures > PATIENCE) {
                    throw away;
                }
            }
            if (Ending.hasEnded(job)) {
                copied(session, route, out);
                return Ending.exitCode(job);
            }
            if (!session.pace().pause(PAUSE)) {
                break;
            }
        }
        return Ending.NOT_FINISHED;
    }

    private static Route from(Route route, long offset) {
        return route.with("offset", Long.toString(offset));
    }

    /// Counts where in the log we are.
    private static final class Tally extends OutputStream {
        private final OutputStream out;
        private long at;

        Tally(OutputStream out, long at) {
            this.out = out;
            this.at = at;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            at++;
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            out.write(bytes, start, length);
            at += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }
}
