package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;

/// The shortest expected run first: what was learned of jobs like this one, its time limit where
/// nothing is known, jobs with neither last. Nobody is passed over for ever: as long as the oldest
/// job finds a place jobs start in the order they came, and when it does not, a place is reserved
/// for it that the shorter ones must not delay.
public final class ShortestPredictedOrder implements QueueOrder {
    @Override
    public String name() {
        return "spf";
    }

    @Override
    public long key(Job job) {
        if (job.spec().runtimeExpectation().isKnown()) {
            return job.spec().runtimeExpectation().usual().toMillis();
        }
        Duration limit = job.spec().limit();
        return limit.isZero() ? Long.MAX_VALUE : limit.toMillis();
    }

    @Override
    public boolean reservesForOldest() {
        return true;
    }
}
