package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import java.time.Duration;
import java.time.Instant;

/// How a policy lets a model order the queue, and what the model may not decide.
///
///     1. jobs that have waited longer than the bound, the longest wait first
///     2. of the first 64 classes in queue order the head that the model ranks first
///     3. the other classes in queue order
///
/// The bound holds whatever the model says: the first job that exceeds it and cannot start gets the
/// reservation, which no ranked job may delay.
///
/// @param model the name of the model
/// @param starvationBound how long the model may keep a job waiting
/// @param withinPriority whether the model orders jobs of equal priority only, so that a job of
///        higher priority always goes first
public record Ranking(
        String model, HeadRanker ranker, Duration starvationBound, boolean withinPriority) {
    /// How many heads are ranked.
    public static final int HEADS = 64;

    /// When a waiting job exceeds the bound.
    public Instant starvesAt(Job job) {
        return job.waitsFrom().plus(starvationBound);
    }

    public boolean starves(Job job, Instant now) {
        return !starvesAt(job).isAfter(now);
    }
}
