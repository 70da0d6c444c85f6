package io.gpusched.server.http;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.server.agents.LogSource;
import io.gpusched.server.agents.LogSource.Fetched;
import io.gpusched.server.view.Past;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/// `/api/v1/jobs/{id}/logs`: what a job has written, byte for byte, from the machine it ran on.
///
/// That of the newest run unless `attempt` names an earlier one. Without `follow` one piece is
/// sent, and `X-Log-Next-Offset` says where the next begins. With it, what is written arrives until
/// the task has ended; where its machine goes away before, or the caller's token is revoked, the
/// answer breaks off.
final class JobLogs {
    private static final String WHERE =
            "ask again in a moment; gpu-cli nodes tells whose agent is away";
    private static final Logger LOG = LoggerFactory.getLogger(JobLogs.class);
    private static final int LARGEST_PIECE = 1 << 20;

    private final Lookups lookups;
    private final Past past;
    private final LogSource source;

    /// One run and its places.
    private record Where(AttemptId attempt, Placement on) {}

    JobLogs(Lookups lookups, Past past, LogSource source) {
        this.lookups = lookups;
        this.past = past;
        this.source = source;
    }

    Reply show(Asked asked) {
        Job job = lookups.job(asked);
        long offset = asked.number("offset", 0, Long.MIN_VALUE + 1, Long.MAX_VALUE);
        long task = asked.number("task", 0, 0, job.spec().tasks() - 1L);
        boolean follow = asked.flag("follow");
        long attempt = asked.number("attempt", 0, 0, Integer.MAX_VALUE);
        Where where = attempt == 0 ? newest(job) : earlier(job, attempt);
        if (where == null) {
            return nothing(Math.max(0, offset));
        }
        Slot slot = where.on().slots().get((int) task);
        var log = new LogSource.Log(where.attempt(), slot.rank(), slot.node());
        return follow ? flowing(log, offset, asked) : piece(log, offset);
    }

    /// The run that is, or the last one of a job that is over; null for a job that waits.
    private static @Nullable Where newest(Job job) {
        Run run = job.phase() instanceof Phase.Ended over ? over.last() : job.phase().run();
        return run == null ? null : new Where(run.id(), run.on());
    }

    /// Machines keep the output of runs that are over for a while; only the past knows where.
    private Where earlier(Job job, long number) {
        for (Event event : past.events(job.id())) {
            if (event instanceof Event.AttemptPlaced placed
                    && placed.attempt().number() == number) {
                return new Where(placed.attempt(), placed.on());
            }
        }
        throw Fault.unknown(
                "attempt", Long.toString(number), "/api/v1/jobs/%s/events".formatted(job.id()));
    }

    private Reply piece(LogSource.Log log, long offset) {
        return switch (source.fetch(log, offset, LARGEST_PIECE, Duration.ZERO)) {
            case Fetched.Piece piece ->
                    new Reply.Whole(
                            200,
                            Reply.TEXT,
                            piece.content().toByteArray(),
                            Map.of("X-Log-Next-Offset", Long.toString(piece.end())));
            case Fetched.Unavailable gone -> throw Fault.notReady(gone.reason(), WHERE);
        };
    }

    private static Reply nothing(long offset) {
        return new Reply.Whole(
                200, Reply.TEXT, new byte[0], Map.of("X-Log-Next-Offset", Long.toString(offset)));
    }

    /// What cannot be had at all is said before the answer begins; later nobody could hear it.
    private Reply flowing(LogSource.Log log, long offset, Asked asked) {
        if (source.fetch(log, offset, 1, Duration.ZERO) instanceof Fetched.Unavailable gone) {
            throw Fault.notReady(gone.reason(), WHERE);
        }
        return new Reply.Flowing(
                Reply.TEXT,
                Map.of(),
                out ->
                        source.follow(
                                log, offset, fetched -> passOn(checked(fetched, asked, log), out)));
    }

    /// Nothing is sent to a caller whose token has been revoked meanwhile. The source hands over a
    /// piece, if only an empty one, about every ten seconds, so a quiet log is no exception.
    private static Fetched checked(Fetched fetched, Asked asked, LogSource.Log log) {
        if (asked.stillAdmitted()) {
            return fetched;
        }
        LOG.info(
                "{} no longer follows the log of {}: its token has been revoked",
                asked.caller().label(),
                log.attempt());
        return new Fetched.Unavailable("this token has been revoked");
    }

    /// A log that breaks off breaks the connection: an orderly end would say that nothing follows.
    private static boolean passOn(Fetched fetched, OutputStream out) {
        try {
            switch (fetched) {
                case Fetched.Piece piece -> {
                    piece.content().writeTo(out);
                    out.flush();
                }
                case Fetched.Unavailable gone -> throw new IOException(gone.reason());
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
