package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Answers commands about nodes: cordon, uncordon, drain and removal.
final class NodeCommandHandler {
    private final ClusterState state;
    private final Instant now;

    NodeCommandHandler(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    /// A node that is closed already keeps its reason, unless the scheduler closed it by itself.
    /// Then it counts as closed by the administrator from now on.
    Answer to(Command.Cordon c) {
        NodeView node = state.nodes().find(c.node());
        if (node == null) {
            return unknown(c.node());
        }
        NodeStatus status = node.status();
        var nodeClosure = NodeClosure.by(c.by(), "cordoned by " + c.by());
        return status.cordoned() && !status.cordonedByScheduler()
                ? Answer.accepted()
                : Answer.accepted(
                        new Event.NodeChanged(
                                now, c.node(), status.cordon(nodeClosure), "by " + c.by()));
    }

    /// Also forgets which jobs the node refused to start, so that they may start there again.
    Answer to(Command.Uncordon c) {
        NodeView node = state.nodes().find(c.node());
        if (node == null) {
            return unknown(c.node());
        }
        var events = new ArrayList<Event>();
        NodeStatus open = node.status().reopen();
        if (!open.equals(node.status()) || !node.refusals().isEmpty()) {
            events.add(new Event.NodeChanged(now, c.node(), open, "by " + c.by()));
        }
        state.avoidances()
                .of(c.node())
                .forEach(due -> events.add(new Event.AvoidanceEnded(now, due.job(), c.node())));
        return new Answer.Accepted(null, events, List.of());
    }

    Answer to(Command.Drain c) {
        NodeView node = state.nodes().find(c.node());
        if (node == null) {
            return unknown(c.node());
        }
        if (c.deadline().isNegative()) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "deadline_seconds",
                    "expected a time of 0 seconds or more, found " + c.deadline(),
                    "the nearest is 0, which means that jobs may run until they end");
        }
        var nodeClosure = NodeClosure.by(c.by(), "drained by " + c.by());
        boolean later = !c.evict() && c.deadline().isPositive();
        nodeClosure = later ? nodeClosure.stopAt(now.plus(c.deadline())) : nodeClosure;
        var events = new ArrayList<Event>();
        events.add(
                new Event.NodeChanged(
                        now, c.node(), node.status().drain(nodeClosure), "drained by " + c.by()));
        if (c.evict()) {
            events.addAll(
                    JobTransitions.evictions(state, node, now, "node " + c.node() + " is drained"));
        }
        return new Answer.Accepted(null, events, List.of());
    }

    Answer to(Command.RemoveNode c) {
        NodeView node = state.nodes().find(c.node());
        if (node == null) {
            return unknown(c.node());
        }
        if (node.tasks() > 0) {
            return Answer.rejected(
                    Problem.Code.WRONG_STATE,
                    "state",
                    "node " + c.node() + " runs " + Plurals.of(node.tasks(), "task"),
                    "drain it, and when nothing runs there stop its agent");
        }
        if (node.status().reach() == NodeStatus.Reach.UP) {
            return Answer.rejected(
                    Problem.Code.WRONG_STATE,
                    "state",
                    "node " + c.node() + " is up: its agent " + node.facts().agent() + " has it",
                    "drain it and stop its agent first; to keep jobs off it, cordon it");
        }
        return new Answer.Accepted(null, LostNodes.removal(state, c.node(), now), List.of());
    }

    static Answer unknown(NodeId id) {
        return Answer.rejected(
                Problem.Code.UNKNOWN_NODE,
                "node_id",
                "Node not found",
                id + " is not known; list the nodes");
    }
}
