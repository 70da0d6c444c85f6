package io.gpusched.core.policy.order;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// The queue order under a policy in which a model ranks the first heads: it says which heads are
/// first, decides between heads of equal score, and takes over when a ranking is invalid.
///
/// Either the higher priority is first and then the older job, or the older job is. Priorities do
/// not grow with age here: the starvation bound takes care of old jobs.
public final class LearnedOrder implements QueueOrder {
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

    /// Oldest first, whatever the priorities. No job is preempted for one of higher priority.
    public static LearnedOrder mixed() {
        return new LearnedOrder("learned-mixed", null);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long key(Job job) {
        return pointEvery == null ? Instants.micros(job.submitted()) : -(long) job.priority();
    }

    @Override
    public @Nullable Duration pointEvery() {
        return pointEvery;
    }
}
