package io.gpusched.server.http;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.server.agents.LogSource;
import io.gpusched.server.agents.LogSource.Fetched;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/// `/api/v1/jobs/{id}/logs`: what a job has written, byte for byte, from the machine it ran on.
///
/// Without `follow` one piece is sent, and `X-Log-Next-Offset` says where the next begins. With it,
/// what is written arrives until the task has ended.
final class JobLogs {
    private static final int LARGEST_PIECE = 1 << 20;

    private final Lookups lookups;
    private final LogSource source;

    JobLogs(Lookups lookups, LogSource source) {
        this.lookups = lookups;
        this.source = source;
    }

    Reply show(Asked asked) {
        Job job = lookups.job(asked);
        long offset = asked.number("offset", 0, Long.MIN_VALUE + 1, Long.MAX_VALUE);
        long task = asked.number("task", 0, 0, job.spec().tasks() - 1L);
        boolean follow = asked.flag("follow");
        Run run = job.phase() instanceof Phase.Ended over ? over.last() : job.phase().run();
        if (run == null) {
            return nothing(Math.max(0, offset));
        }
        Slot slot = run.on().slots().get((int) task);
        var log = new LogSource.Log(run.id(), slot.rank(), slot.node());
        return follow ? flowing(log, offset) : piece(log, offset);
    }

    private Reply piece(LogSource.Log log, long offset) {
        return switch (source.fetch(log, offset, LARGEST_PIECE, Duration.ZERO)) {
            case Fetched.Piece piece ->
                    new Reply.Whole(
                            200,
                            Reply.TEXT,
                            piece.content().toByteArray(),
                            Map.of("X-Log-Next-Offset", Long.toString(piece.end())));
            case Fetched.Unavailable gone -> throw Fault.notReady(gone.reason());
        };
    }

    private static Reply nothing(long offset) {
        return new Reply.Whole(
                200, Reply.TEXT, new byte[0], Map.of("X-Log-Next-Offset", Long.toString(offset)));
    }

    private Reply flowing(LogSource.Log log, long offset) {
        return new Reply.Flowing(
                Reply.TEXT,
                Map.of(),
                out -> source.follow(log, offset, fetched -> passOn(fetched, out)));
    }

    private static boolean passOn(Fetched fetched, OutputStream out) {
        if (!(fetched instanceof Fetched.Piece piece)) {
            return false;
        }
        try {
            piece.content().writeTo(out);
            out.flush();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
