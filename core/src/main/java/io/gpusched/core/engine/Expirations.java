package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.Avoidances;
import io.gpusched.core.state.ClusterState;

import java.util.Objects;

/// Records at the beginning of a cycle what has expired: a job may start again on a node that
/// refused it, and a drain has reached its deadline.
final class Expirations {
    private Expirations() {}

    static void record(ClusterState state, Cycle cycle) {
        for (Avoidances.Due due : state.avoidances().endedBy(cycle.now())) {
            cycle.record(new Event.AvoidanceEnded(cycle.now(), due.job(), due.node()));
        }
        for (NodeId id : state.nodes().drainsDue(cycle.now())) {
            NodeView node = Objects.requireNonNull(state.nodes().find(id));
            String why = "node " + id + " is drained and its deadline has passed";
            JobTransitions.evictions(state, node, cycle.now(), why).forEach(cycle::record);
            cycle.record(
                    new Event.NodeChanged(
                            cycle.now(),
                            id,
                            node.status().drain(node.status().nodeClosure().stopAt(null)),
                            "its drain deadline has passed"));
        }
    }
}
