package io.gpusched.lab.swf;

import io.gpusched.core.model.JobId;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;

/// The first job of a queue order. The queue stays sorted: among equal jobs the earlier position
/// counts.
///
/// @param order a queue order of the core
record FirstOfOrder(QueueOrder order) implements NextJob {
    @Override
    public JobId choose(ClusterState state, List<JobId> queue, Instant now) {
        QueueOrder asOfNow = order.at(now);
        var keys = new HashMap<JobId, Long>();
        queue.forEach(id -> keys.put(id, asOfNow.key(Objects.requireNonNull(state.job(id)))));
        queue.sort(Comparator.comparing(keys::get));
        return queue.getFirst();
    }
}
