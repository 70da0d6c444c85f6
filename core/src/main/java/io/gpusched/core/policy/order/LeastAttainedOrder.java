package io.gpusched.core.policy.order;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptiveOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Two queues by attained service, as in Tiresias (Gu and others, NSDI 2019): a job that has used
/// more than a number of GPU-seconds goes behind all that have not; inside a queue, first come,
/// first served. It needs no knowledge of runtimes: short jobs end before they move to the second
/// queue.
///
/// Why no two jobs preempt each other in turn: a job moves to the second queue once and for all,
/// and within a queue the order of two jobs never changes.
///
/// @param gpuSeconds the usage after which a job moves to the second queue; cores count for jobs
///        without GPUs
public record LeastAttainedOrder(long gpuSeconds) implements PreemptiveOrder {
    /// Five hours of one GPU.
    public static final long USUAL = 18_000;

    /// Later than any time of submission, in microseconds.
    private static final long BEHIND = Long.MAX_VALUE / 2;

    @Override
    public String name() {
        return "las";
    }

    @Override
    public long key(Job job) {
        return key(job, job.ran());
    }

    @Override
    public long runningKey(Job job, Instant now) {
        return key(job, attained(job, now));
    }

    @Override
    public @Nullable Instant rises(Job job, Instant now) {
        if (isBehind(job, attained(job, now))) {
            return null;
        }
        // A job that is still starting will run soon, and not before now.
        Instant started = job.phase().startedAt();
        Instant from = started == null ? now : started;
        return from.plus(enough(job)).minus(job.ran()).plusNanos(1000);
    }

    private long key(Job job, Duration attained) {
        return Instants.micros(job.submitted()) + (isBehind(job, attained) ? BEHIND : 0);
    }

    private boolean isBehind(Job job, Duration attained) {
        return attained.compareTo(enough(job)) > 0;
    }

    private Duration enough(Job job) {
        double size = Math.max(0.001, RequestedWork.processors(job));
        return Duration.ofMillis((long) (gpuSeconds * 1000 / size));
    }

    private static Duration attained(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        return started == null ? job.ran() : job.ran().plus(Duration.between(started, now));
    }
}
