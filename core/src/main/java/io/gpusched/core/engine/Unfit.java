package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeView;

/// Marks GPUs that hold a task which would not stop.
final class Unfit {
    private Unfit() {}

    static void mark(ClusterState state, NodeId id, int gpu, JobId job, Cycle cycle) {
        NodeView node = state.node(id);
        if (node == null || !node.condition(gpu).fit()) {
            return;
        }
        var condition =
                new GpuCondition(
                        node.condition(gpu).heat(), false, "a task of " + job + " did not stop");
        cycle.record(new Event.GpuChanged(cycle.now(), id, gpu, condition));
    }
}
