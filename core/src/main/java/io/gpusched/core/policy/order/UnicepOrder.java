package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

import java.time.Instant;

/// UNICEP (Tang and others, CLUSTER 2009): the largest `waited / (log2(processors) × time)` first,
/// so that short and narrow jobs go soon, and no job waits for ever. Jobs of one processor, for
/// which that is no number, come before all others, by `waited / time`.
///
/// @param asOf until when waiting counts
public record UnicepOrder(Instant asOf) implements QueueOrder {
    private static final double LN_2 = 0.693_147_180_559_945_3;
    private static final double ALMOST_NOTHING = 1e-15;

    @Override
    public String name() {
        return "unicep";
    }

    @Override
    public QueueOrder at(Instant now) {
        return new UnicepOrder(now);
    }

    @Override
    public long key(Job job) {
        double width = StrictMath.log(Math.max(1, RequestedWork.processors(job))) / LN_2;
        double part = Wfp3Order.waited(job, asOf) / RequestedWork.seconds(job);
        return RequestedWork.key(-(part / Math.max(ALMOST_NOTHING, width)));
    }
}
