package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptiveOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Shortest remaining time first: a waiting job may preempt a running one that has more time left.
/// The remaining time comes from the learned expectation, else from the time limit; jobs with
/// neither come last. A job that saves its work has less left after each run.
///
/// Why no two jobs preempt each other in turn: the remaining time of a running job only falls, and
/// that of a waiting one is constant.
///
/// @param restart the cost of each start after a preemption, added to the remaining time
public record ShortestRemainingOrder(Duration restart) implements PreemptiveOrder {
    @Override
    public String name() {
        return "srtf";
    }

    @Override
    public long key(Job job) {
        long all = estimateMillis(job);
        return all == Long.MAX_VALUE ? all : left(job, all, Duration.ZERO);
    }

    @Override
    public long runningKey(Job job, Instant now) {
        long all = estimateMillis(job);
        Instant started = job.phase().startedAt();
        return all == Long.MAX_VALUE
                ? all
                : left(job, all, started == null ? Duration.ZERO : Duration.between(started, now));
    }

    @Override
    public @Nullable Instant rises(Job job, Instant now) {
        return null;
    }

    private long left(Job job, long all, Duration running) {
        long saved = job.spec().onLoss().checkpoints() ? job.ran().toMillis() : 0;
        long left = all + restart.toMillis() * job.stops() - saved - running.toMillis();
        return Math.max(0, left);
    }

    private static long estimateMillis(Job job) {
        if (job.spec().runtimeExpectation().isKnown()) {
            return job.spec().runtimeExpectation().usual().toMillis();
        }
        Duration limit = job.spec().limit();
        return limit.isZero() ? Long.MAX_VALUE : limit.toMillis();
    }
}
