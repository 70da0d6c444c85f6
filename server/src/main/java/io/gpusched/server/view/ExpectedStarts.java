package io.gpusched.server.view;

import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// When waiting jobs are expected to start, as every answer tells it: the published estimate,
/// unless what is known of the job by now rules it out.
///
/// A job has no estimate while it does not wait, or while only other nodes would let it start. No
/// estimate lies before `now`, nor before the time until which the job is not tried.
public final class ExpectedStarts {
    private final LatestTurns latestTurns;
    private final StartTimes startTimes;
    private final Instant now;

    ExpectedStarts(LatestTurns latestTurns, StartTimes startTimes, Instant now) {
        this.latestTurns = latestTurns;
        this.startTimes = startTimes;
        this.now = now;
    }

    /// Null when no estimate is known.
    public @Nullable StartEstimate of(Job job) {
        if (!job.waiting() || latestTurns.needsOtherNodes(job)) {
            return null;
        }
        StartEstimate estimate = startTimes.of(job.id());
        return estimate == null ? null : estimate.from(tried(job));
    }

    /// Whether the job should have started by now, so that it starts any moment.
    public boolean isDue(Job job) {
        return !tried(job).isAfter(now) && startTimes.isDue(job.id());
    }

    /// Whether the estimate was extrapolated from those of other jobs.
    public boolean isRough(Job job) {
        return startTimes.isRough(job.id());
    }

    /// From when on the job is tried.
    private Instant tried(Job job) {
        Instant due = job.phase() instanceof Phase.Waiting waiting ? waiting.notBefore() : null;
        return due != null && due.isAfter(now) ? due : now;
    }
}
