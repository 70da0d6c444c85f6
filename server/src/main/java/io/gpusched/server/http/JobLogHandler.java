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
import io.gpusched.server.view.PastJobs;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

/// `/api/v1/jobs/{id}/logs`: the output of a job, byte for byte, from the machine that it ran on.
///
/// It is the output of the newest run unless `attempt` names an earlier one. Without `follow` one
/// piece is sent, and `X-Log-Next-Offset` says where the next begins. With `follow`, output is sent
/// until the task has ended. If the machine disconnects before, or the caller's token is revoked,
/// the response breaks off.
final class JobLogHandler {
    private static final String WHERE =
            "retry in a moment; gpu-cli nodes shows which agents are away";
    private static final Logger LOG = LoggerFactory.getLogger(JobLogHandler.class);
    private static final int LARGEST_PIECE = 1 << 20;

    private final Lookups lookups;
    private final PastJobs pastJobs;
    private final LogSource source;

    /// One run and its placement.
    private record Where(AttemptId attempt, Placement on) {}

    JobLogHandler(Lookups lookups, PastJobs pastJobs, LogSource source) {
        this.lookups = lookups;
        this.pastJobs = pastJobs;
        this.source = source;
    }

    Response show(Request request) {
        Job job = lookups.job(request);
        long offset = request.number("offset", 0, Long.MIN_VALUE + 1, Long.MAX_VALUE);
        long task = request.number("task", 0, 0, job.spec().tasks() - 1L);
        boolean follow = request.flag("follow");
        long attempt = request.number("attempt", 0, 0, Integer.MAX_VALUE);
        Where where = attempt == 0 ? newest(job) : earlier(job, attempt);
        if (where == null) {
            return nothing(Math.max(0, offset));
        }
        Slot slot = where.on().slots().get((int) task);
        var log = new LogSource.Log(where.attempt(), slot.rank(), slot.node());
        return follow ? flowing(log, offset, request) : piece(log, offset);
    }

    /// The present run, or the last run of an ended job; null for a job that waits.
    private static @Nullable Where newest(Job job) {
        Run run = job.phase() instanceof Phase.Ended over ? over.last() : job.phase().run();
        return run == null ? null : new Where(run.id(), run.on());
    }

    /// An earlier run and its placement, from the job's history. Machines keep the output of ended
    /// runs for a while.
    private Where earlier(Job job, long number) {
        for (Event event : pastJobs.events(job.id())) {
            if (event instanceof Event.AttemptPlaced placed
                    && placed.attempt().number() == number) {
                return new Where(placed.attempt(), placed.on());
            }
        }
        throw HttpError.unknown(
                "attempt", Long.toString(number), "/api/v1/jobs/%s/events".formatted(job.id()));
    }

    private Response piece(LogSource.Log log, long offset) {
        return switch (source.fetch(log, offset, LARGEST_PIECE, Duration.ZERO)) {
            case Fetched.Piece piece ->
                    new Response.Complete(
                            200,
                            Response.TEXT,
                            piece.content().toByteArray(),
                            Map.of("X-Log-Next-Offset", Long.toString(piece.end())));
            case Fetched.Unavailable gone -> throw HttpError.notReady(gone.reason(), WHERE);
        };
    }

    private static Response nothing(long offset) {
        return new Response.Complete(
                200,
                Response.TEXT,
                new byte[0],
                Map.of("X-Log-Next-Offset", Long.toString(offset)));
    }

    /// If there is no output at all, the error is sent before the response begins; afterwards it
    /// could not be sent. If nothing follows, the response is complete and says where the log ends.
    private Response flowing(LogSource.Log log, long offset, Request request) {
        switch (source.fetch(log, offset, 1, Duration.ZERO)) {
            case Fetched.Unavailable gone -> throw HttpError.notReady(gone.reason(), WHERE);
            case Fetched.Piece piece -> {
                if (piece.complete() && piece.content().isEmpty()) {
                    return nothing(piece.end());
                }
            }
        }
        return new Response.Streaming(
                Response.TEXT,
                Map.of(),
                out ->
                        source.follow(
                                log,
                                offset,
                                fetched -> passOn(checked(fetched, request, log), out)));
    }

    /// Sends nothing to a caller whose token has been revoked meanwhile. The source delivers a
    /// piece, if only an empty one, about every ten seconds, so this holds for a quiet log too.
    private static Fetched checked(Fetched fetched, Request request, LogSource.Log log) {
        if (request.stillAdmitted()) {
            return fetched;
        }
        LOG.info(
                "{} no longer follows the log of {}: its token has been revoked",
                request.caller().label(),
                log.attempt());
        return new Fetched.Unavailable("this token has been revoked");
    }

    /// A log that breaks off ends the connection with an error: an orderly end would mean that
    /// nothing follows.
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
