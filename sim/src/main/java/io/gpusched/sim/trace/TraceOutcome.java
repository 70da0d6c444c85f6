package io.gpusched.sim.trace;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The runs of one job of a trace.
public final class TraceOutcome {
    private final TraceJob job;
    private Duration left;
    private Duration queued = Duration.ZERO;
    private Instant waitsSince;
    private @Nullable Instant started;
    private @Nullable Instant began;
    private @Nullable Instant ended;
    private int preemptions;

    TraceOutcome(TraceJob job) {
        this.job = job;
        this.left = job.runtime();
        this.waitsSince = job.submitted();
    }

    /// A run begins. Returns how long it takes.
    Duration begins(Instant now) {
        queued = queued.plus(Duration.between(waitsSince, now));
        began = now;
        started = started == null ? now : started;
        return left;
    }

    void stops(Instant now, Duration restart) {
        if (began != null) {
            left = left.minus(Duration.between(began, now)).plus(restart);
        }
        began = null;
        waitsSince = now;
        preemptions++;
    }

    void ends(Instant at) {
        ended = at;
        left = Duration.ZERO;
    }

    public TraceJob job() {
        return job;
    }

    /// When it first ran; null when it never did.
    public @Nullable Instant started() {
        return started;
    }

    /// Null when it did not end.
    public @Nullable Instant ended() {
        return ended;
    }

    /// How long it waited in all, also between runs.
    public Duration queued() {
        return queued;
    }

    public int preemptions() {
        return preemptions;
    }

    /// From submission to the end; null when it did not end.
    public @Nullable Duration completion() {
        return ended == null ? null : Duration.between(job.submitted(), ended);
    }
}
