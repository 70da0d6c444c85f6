package io.gpusched.lab.swf;

import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.List;

/// Chooses the job of a sequence that starts next.
public interface NextJob {
    /// One of the jobs of the queue.
    ///
    /// @param queue the jobs that have arrived and not started, at least one; it may be reordered
    JobId choose(ClusterState state, List<JobId> queue, Instant now);

    /// The first job of a queue order.
    static NextJob by(QueueOrder order) {
        return new FirstOfOrder(order);
    }
}
