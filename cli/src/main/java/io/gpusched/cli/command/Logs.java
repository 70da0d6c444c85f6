package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.rest.Unreachable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/// Copies what a job has written, byte for byte. With `-f` goes on until the job has ended and then
/// exits as the job did; a connection that breaks meanwhile is taken up where it broke.
@Command(
        name = "logs",
        description = "Show what a job has written.",
        footer = {
            "",
            "With -f the exit code is that of the job; see gpu-cli wait --help.",
            "",
            "Examples:",
            "  gpu-cli logs job-7 -f",
            "  gpu-cli logs job-7 --task 3 > rank3.txt"
        })
public final class Logs implements Action {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /// How often in a row a follower may find nobody at the other end.
    private static final int PATIENCE = 300;

    /// A server may cut a long log into pieces; a piece at least this large may have a successor.
    private static final long PIECE = 64 << 10;

    @Parameters(paramLabel = "JOB", description = "Id of the job.")
    String id = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the job has ended.")
    boolean follow;

    @Option(names = "--task", paramLabel = "N", description = "Task of a gang, from 0.")
    @Nullable Long task;

    @Option(names = "--offset", paramLabel = "BYTES", description = "Bytes to skip.")
    Long offset = 0L;

    @Override
    public int run(Session session) {
        var out = new Tally(session.printer().raw(), offset);
        return follow ? followed(session, out) : copied(session, out);
    }

    private int copied(Session session, Tally out) {
        long piece = PIECE;
        while (piece >= PIECE && !session.printer().isClosed()) {
            piece = session.rest().copy(route(out.at, false), out, false);
        }
        return 0;
    }

    private int followed(Session session, Tally out) {
        Json job = session.job(id);
        int failures = 0;
        while (!session.printer().isClosed()) {
            try {
                session.rest().copy(route(out.at, true), out, true);
                job = session.job(id);
                failures = 0;
            } catch (Unreachable away) {
                if (++failures > PATIENCE) {
                    throw away;
                }
            }
            if (Ending.hasEnded(job)) {
                copied(session, out);
                return Ending.exitCode(job);
            }
            if (!session.pace().pause(PAUSE)) {
                break;
            }
        }
        return Ending.NOT_FINISHED;
    }

    private Route route(long from, boolean following) {
        return Route.to("jobs", id, "logs")
                .with("task", task == null ? "" : task.toString())
                .with("offset", Long.toString(from))
                .with("follow", following ? "true" : "");
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
