package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptiveOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Shortest remaining time first: what is left of a job, as far as is known, decides, and work that
/// runs makes way for what is over sooner. Known is what was learned of jobs like it, else its time
/// limit; jobs with neither come last. A job that saves its work has less left after each run.
///
/// Why nobody is pushed out in turn: what is left of a running job only falls, and that of a
/// waiting one stands still.
///
/// @param restart what each start after a stop costs, on top of what is left
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
