package io.gpusched.core.policy.order;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// Higher priority first, and waiting raises the priority of all jobs at the same pace.
///
/// A job's effective priority is `priority + waited / pointEvery`. Because it grows equally fast
/// for all, the order of two waiting jobs never changes: subtracting the common growth leaves
/// `since - priority × pointEvery`, a constant key. So nothing is re-sorted as time passes.
///
///     pointEvery 6 s: priority 100 since 12:00:00 ranks like priority 110 since 12:01:00
///
/// Time in which a job was held counts only if configured: the key is shifted by it when the job is
/// back in the queue, so a user cannot save up priority for later.
public final class PriorityOrder implements QueueOrder {
    private final long microsPerPoint;
    private final boolean agesHeld;

    /// All time since the submission counts.
    public PriorityOrder(Duration pointEvery) {
        this(pointEvery, true);
    }

    /// @param pointEvery the waiting time that is worth one point of priority; zero turns ageing
    ///        off
    /// @param agesHeld whether time in which the job was held counts
    public PriorityOrder(Duration pointEvery, boolean agesHeld) {
        Check.that(!pointEvery.isNegative(), "ageing is not negative, found %s", pointEvery);
        this.microsPerPoint = pointEvery.toNanos() / 1000;
        this.agesHeld = agesHeld;
    }

    /// The order with ageing in points of priority per minute of waiting.
    public static PriorityOrder pointsPerMinute(double points, boolean agesHeld) {
        Check.that(points >= 0 && points <= 60_000_000, "bad points per minute: %s", points);
        return new PriorityOrder(
                points == 0 ? Duration.ZERO : Duration.ofNanos((long) (60e9 / points)), agesHeld);
    }

    @Override
    public String name() {
        return "priority";
    }

    @Override
    public long key(Job job) {
        if (microsPerPoint == 0) {
            return -(long) job.priority();
        }
        long unaged = agesHeld ? 0 : job.unaged().toNanos() / 1000;
        return Instants.micros(job.submitted()) + unaged - job.priority() * microsPerPoint;
    }

    @Override
    public Duration pointEvery() {
        return Duration.of(microsPerPoint, ChronoUnit.MICROS);
    }
}
