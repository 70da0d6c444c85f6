package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// What follows when a node is lost.
///
/// The node of an agent of our own stays in the ledger: the machine will come back, and until then
/// people should see that it is away. A cluster with another custodian removes machines and makes
/// new ones with other names, so a node that it lost is removed as soon as no run holds it.
///
///     a gang on n1 and n2, n2 is deleted   →   n2 is lost, the gang stops; when its task on n1 has
///                                              ended, n2 is removed
final class LostNodes {
    private final ClusterState state;
    private final Instant now;

    LostNodes(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    /// Marks the node as lost, with its tasks.
    void lose(NodeView node, String why, List<Event> events, JobTransitions jobTransitions) {
        if (node.status().reach() == NodeStatus.Reach.LOST) {
            return;
        }
        NodeStatus lost = node.status().with(NodeStatus.Reach.LOST);
        events.add(new Event.NodeChanged(now, node.facts().id(), lost, why));
        for (JobId id : node.jobs()) {
            Job job = jobTransitions.job(id);
            if (job != null) {
                jobTransitions.loseTasksOn(job, node);
            }
        }
    }

    /// Removes those of the lost nodes that belong to a cluster and that no run holds any more.
    List<Event> emptied(List<NodeId> lost, JobTransitions jobTransitions) {
        var events = new ArrayList<Event>();
        for (NodeId id : lost) {
            NodeView node = state.nodes().find(id);
            if (node != null && isOfCluster(node) && isEmpty(node, jobTransitions)) {
                events.addAll(removal(state, id, now));
            }
        }
        return events;
    }

    private boolean isOfCluster(NodeView node) {
        Agent agent = state.agents().find(node.facts().agent());
        return agent != null && agent.custody() == Agent.Custody.EXTERNAL;
    }

    private static boolean isEmpty(NodeView node, JobTransitions jobTransitions) {
        for (JobId id : node.jobs()) {
            Job job = jobTransitions.job(id);
            if (job != null && job.phase().run() != null) {
                return false;
            }
        }
        return true;
    }

    /// The removal of a node that no run holds, and of the claims on it.
    static List<Event> removal(ClusterState state, NodeId node, Instant now) {
        var events = new ArrayList<Event>();
        for (Claim claim : state.claims()) {
            if (claim.slots().stream().anyMatch(slot -> slot.node().equals(node))) {
                events.add(new Event.ClaimDropped(now, claim.id(), "node removed"));
            }
        }
        events.add(new Event.NodeRemoved(now, node));
        return events;
    }
}
