package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;

/// The shortest expected run first: the learned expectation, the time limit where nothing is known,
/// jobs with neither last. No job starves: as long as the oldest job fits, jobs start in the order
/// of submission, and when it does not, it gets a reservation that shorter jobs must not delay.
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
