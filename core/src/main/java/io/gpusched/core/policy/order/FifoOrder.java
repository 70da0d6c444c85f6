package io.gpusched.core.policy.order;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

/// First come, first served.
public final class FifoOrder implements QueueOrder {
    @Override
    public String name() {
        return "fifo";
    }

    @Override
    public long key(Job job) {
        return Instants.micros(job.submitted());
    }
}
