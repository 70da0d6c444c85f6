package io.gpusched.core.policy.order;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// The queue order under a policy in which a model ranks the first heads: it says which heads are
/// first, decides between heads of equal score, and takes over when a ranking is invalid.
///
/// Either the higher priority is first and then the longer wait, or the longer wait is. Priorities
/// do not grow with age here: the starvation bound takes care of old jobs.
///
/// Time in which a job ran or was held is no wait. So the head of a class of equal jobs is the one
/// that has waited longest, and no job can exceed the starvation bound unseen behind its head.
public final class LearnedOrder implements QueueOrder {
    /// More than the seconds of any time, so that priority comes before the wait.
    private static final long SECONDS = 1L << 33;

    /// With a larger priority the key would overflow.
    private static final int MOST_PRIORITY = 1 << 29;

    private final String name;
    private final @Nullable Duration pointEvery;

    private LearnedOrder(String name, @Nullable Duration pointEvery) {
        this.name = name;
        this.pointEvery = pointEvery;
    }

    /// Higher priority first.
    ///
    /// @param pointEvery the waiting time that protects a run from preemption by one more point
    public static LearnedOrder byPriority(Duration pointEvery) {
        return new LearnedOrder("learned", pointEvery);
    }

    /// Longest wait first, whatever the priorities. No job is preempted for one of higher priority.
    public static LearnedOrder mixed() {
        return new LearnedOrder("learned-mixed", null);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long key(Job job) {
        if (pointEvery == null) {
            return Instants.micros(job.waitsFrom());
        }
        long priority = Math.clamp(job.priority(), -MOST_PRIORITY, MOST_PRIORITY);
        return job.waitsFrom().getEpochSecond() - priority * SECONDS;
    }

    @Override
    public @Nullable Duration pointEvery() {
        return pointEvery;
    }
}
