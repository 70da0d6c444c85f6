package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Duration;

/// The shortest time limit first; jobs without one come last.
public final class ShortestLimitOrder implements QueueOrder {
    @Override
    public String name() {
        return "sjf";
    }

    @Override
    public long key(Job job) {
        Duration limit = job.spec().limit();
        return limit.isZero() ? Long.MAX_VALUE : limit.toMillis();
    }
}
