package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

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

    /// Gives the tasks of a silent cluster up.
    Answer to(Command.DeclareLost c, FaultRules rules) {
        NodeView node = state.nodes().find(c.node());
        if (node == null) {
            return NodeCommandHandler.unknown(c.node());
        }
        Problem problem = problem(node);
        if (problem != null) {
            return new Answer.Rejected(List.of(problem));
        }
        var events = new ArrayList<Event>();
        var jobTransitions = new JobTransitions(state, rules, now);
        var lost = new ArrayList<NodeId>();
        for (NodeView each :
                c.allOfAgent() ? state.nodes().of(node.facts().agent()) : List.of(node)) {
            lost.add(each.facts().id());
            lose(each, "declared lost by " + c.by(), events, jobTransitions);
        }
        events.addAll(jobTransitions.events());
        events.addAll(emptied(lost, jobTransitions));
        return new Answer.Accepted(null, events, List.of());
    }

    private @Nullable Problem problem(NodeView node) {
        NodeId id = node.facts().id();
        if (!isOfCluster(node)) {
            return new Problem(
                    Problem.Code.WRONG_STATE,
                    "node_id",
                    "the agent of node " + id + " ends its tasks by itself when it is silent",
                    "wait until its lease is over, or stop its agent and delete the node");
        }
        return node.status().reach() == NodeStatus.Reach.UP
                ? new Problem(
                        Problem.Code.WRONG_STATE,
                        "state",
                        "node " + id + " is up: agent " + node.facts().agent() + " has it",
                        "drain it; only the tasks of a silent agent can be declared lost")
                : null;
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
