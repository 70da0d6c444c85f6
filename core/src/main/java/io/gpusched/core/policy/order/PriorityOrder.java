package io.gpusched.core.policy.order;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.state.Instants;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/// Higher priority first, and waiting makes everybody more important at the same pace.
///
/// A job's effective priority is `priority + waited / pointEvery`. Because it grows equally fast
/// for all, the order of two waiting jobs never changes: subtracting the common growth leaves
/// `since - priority × pointEvery`, a key that stands still. So nothing is re-sorted as time
/// passes.
///
///     pointEvery 6 s: priority 100 since 12:00:00 stands like priority 110 since 12:01:00
public final class PriorityOrder implements QueueOrder {
    private final long microsPerPoint;

    /// @param pointEvery the waiting time that is worth one point of priority; zero turns ageing
    ///        off
    public PriorityOrder(Duration pointEvery) {
        Check.that(!pointEvery.isNegative(), "ageing is not negative, found %s", pointEvery);
        this.microsPerPoint = pointEvery.toNanos() / 1000;
    }

    /// Ageing given the way people say it: points of priority gained per minute of waiting.
    public static PriorityOrder pointsPerMinute(double points) {
        Check.that(points >= 0 && points <= 60_000_000, "bad points per minute: %s", points);
        return new PriorityOrder(
                points == 0 ? Duration.ZERO : Duration.ofNanos((long) (60e9 / points)));
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
        return Instants.micros(job.submitted()) - job.priority() * microsPerPoint;
    }

    @Override
    public Duration pointEvery() {
        return Duration.of(microsPerPoint, ChronoUnit.MICROS);
    }
}
