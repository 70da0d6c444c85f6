package io.gpusched.server.agents;

import io.gpusched.core.cell.Launcher;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Task;
import io.gpusched.wire.agent.AgentCodec;
import io.gpusched.wire.agent.AgentCodec.MeetingPoint;
import io.gpusched.wire.agent.ModelCodec;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Sends assignments to the agents: keeps the newest assignment of each node and sends it as soon
/// as the node's agent is connected, now or in its next session.
///
/// A gang needs a free port on which the other ranks reach rank 0, and only rank 0's node can
/// choose it. That node reports the port when its task is prepared. Until then the order to run is
/// withheld, and the tasks stay prepared.
final class AgentLauncher implements Launcher {
    /// The rendezvous port of a gang if rank 0's agent reports none.
    private static final int USUAL_PORT = 29_500;

    private final AgentRegistry agentRegistry;
    private final Map<NodeId, Assignment> newest = new HashMap<>();
    private final Map<AttemptId, Integer> ports = new HashMap<>();

    AgentLauncher(AgentRegistry agentRegistry) {
        this.agentRegistry = agentRegistry;
    }

    @Override
    public void assign(Assignment assignment) {
        synchronized (this) {
            Assignment before = newest.get(assignment.node());
            if (before != null && older(assignment, before)) {
                return;
            }
            newest.put(assignment.node(), assignment);
            if (before != null) {
                forgetPorts(before, assignment);
            }
        }
        agentRegistry.tolerate(assignment.node(), longestGrace(assignment));
        wake(assignment.node());
    }

    /// Forgets a node that was removed, and the gangs whose rank 0 was there.
    synchronized void forget(NodeId node) {
        Assignment gone = newest.remove(node);
        if (gone != null) {
            for (Task task : gone.tasks()) {
                if (!isWantedAnywhere(task)) {
                    ports.remove(task.attempt());
                }
            }
        }
    }

    /// How many nodes and gangs are remembered.
    synchronized int size() {
        return newest.size() + ports.size();
    }

    /// The longest grace of any task that should run on these nodes.
    synchronized Duration longestGrace(Collection<NodeId> nodes) {
        Duration longest = Duration.ZERO;
        for (NodeId node : nodes) {
            Assignment assignment = newest.get(node);
            if (assignment != null && longestGrace(assignment).compareTo(longest) > 0) {
                longest = longestGrace(assignment);
            }
        }
        return longest;
    }

    /// The message with the node's present assignment; null if it has none.
    @Nullable Assign message(NodeId node, Instant now) {
        Assignment assignment;
        synchronized (this) {
            assignment = newest.get(node);
        }
        if (assignment == null) {
            return null;
        }
        Assign.Builder message =
                Assign.newBuilder()
                        .setTerm(assignment.term())
                        .setRevision(assignment.revision())
                        .setNodeId(node.name());
        for (Task task : assignment.tasks()) {
            message.addTasks(AgentCodec.order(task, meetingPoint(task), now));
        }
        assignment.models().forEach(order -> message.addModels(ModelCodec.order(order)));
        return message.build();
    }

    /// Whether the task was assigned to the node and has not ended, according to the durable
    /// batches.
    boolean gave(TaskReport report) {
        AttemptId attempt = AgentCodec.attempt(report.getTask());
        Assignment assignment;
        synchronized (this) {
            assignment = newest.get(new NodeId(report.getNodeId()));
        }
        if (assignment != null) {
            for (Task task : assignment.tasks()) {
                if (task.rank() == report.getTask().getRank() && task.attempt().equals(attempt)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Takes the rendezvous port of a gang from the report of rank 0's node, and sends it to the
    /// gang's nodes.
    void learn(TaskReport report) {
        if (report.getTask().getRank() != 0
                || !(report.hasPrepared() || report.hasRunning())
                || !gave(report)) {
            return;
        }
        int told =
                report.hasPrepared()
                        ? report.getPrepared().getFreePort()
                        : report.getRunning().getFreePort();
        AttemptId attempt = AgentCodec.attempt(report.getTask());
        Set<NodeId> gang = new HashSet<>();
        synchronized (this) {
            Assignment assignment = newest.get(new NodeId(report.getNodeId()));
            Integer before = ports.put(attempt, told == 0 ? USUAL_PORT : told);
            if (assignment != null && before == null) {
                for (Task task : assignment.tasks()) {
                    if (task.attempt().equals(attempt)) {
                        task.all().slots().forEach(slot -> gang.add(slot.node()));
                    }
                }
            }
        }
        gang.forEach(this::wake);
    }

    private @Nullable MeetingPoint meetingPoint(Task task) {
        if (task.all().slots().size() < 2) {
            return null;
        }
        Slot first = task.all().slots().getFirst();
        String address = agentRegistry.address(first.node());
        Integer port;
        synchronized (this) {
            port = ports.get(task.attempt());
        }
        return address == null || port == null ? null : new MeetingPoint(address, port);
    }

    private void wake(NodeId node) {
        AgentSession agentSession = agentRegistry.session(node);
        if (agentSession != null) {
            agentSession.assign(node);
        }
    }

    private void forgetPorts(Assignment before, Assignment now) {
        Set<AttemptId> kept = new HashSet<>();
        now.tasks().forEach(task -> kept.add(task.attempt()));
        for (Task task : before.tasks()) {
            if (!kept.contains(task.attempt()) && !isWantedAnywhere(task)) {
                ports.remove(task.attempt());
            }
        }
    }

    /// Whether a node should still run a task of the gang: rank 0 may have ended before other ranks
    /// start, and they still need its address.
    private boolean isWantedAnywhere(Task gone) {
        for (Slot slot : gone.all().slots()) {
            Assignment assignment = newest.get(slot.node());
            if (assignment != null) {
                for (Task task : assignment.tasks()) {
                    if (task.attempt().equals(gone.attempt())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static boolean older(Assignment one, Assignment other) {
        return one.term() < other.term()
                || (one.term() == other.term() && one.revision() < other.revision());
    }

    private static Duration longestGrace(Assignment assignment) {
        Duration longest = Duration.ZERO;
        for (Task task : assignment.tasks()) {
            Duration grace = task.spec().onLoss().grace();
            longest = grace.compareTo(longest) > 0 ? grace : longest;
        }
        return longest;
    }
}
