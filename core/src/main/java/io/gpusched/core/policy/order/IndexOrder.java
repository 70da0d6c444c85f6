package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

/// The largest `GPUs⁴ / time` first: large jobs before small ones, and among jobs of one size the
/// shortest. Good for utilisation, bad for small jobs.
public final class IndexOrder implements QueueOrder {
    @Override
    public String name() {
        return "index";
    }

    @Override
    public long key(Job job) {
        double size = RequestedWork.processors(job);
        return RequestedWork.key(-(size * size * size * size / RequestedWork.seconds(job)));
    }
}
