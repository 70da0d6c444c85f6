package io.gpusched.agent;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.Assign;
import io.gpusched.wire.proto.agent.TaskOrder;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The newest assignment of each node.
///
/// An assignment outlives its session, so that a stop is carried out even while the scheduler is
/// unreachable. But it starts tasks only within its session: after a break the scheduler may have
/// declared this node lost and restarted the job elsewhere, and the lease renewed by a new session
/// must not revive an old assignment. A node without an assignment is left as it is.
final class DesiredState {
    private final TermFile termFile;
    private final Map<String, NodeAssignment> newest = new LinkedHashMap<>();

    /// Nodes whose assignment has not been carried out since it came or a session began or ended.
    private final Set<String> pending = new LinkedHashSet<>();

    private long lastSession;

    private record NodeAssignment(Assign assign, long session) {}

    DesiredState(TermFile termFile) {
        this.termFile = termFile;
    }

    /// Accepts the assignment unless a newer one, or one of a newer scheduler, came before.
    boolean take(Assign assign, long session) {
        NodeAssignment before = newest.get(assign.getNodeId());
        boolean older =
                before != null
                        && before.assign.getTerm() == assign.getTerm()
                        && before.assign.getRevision() > assign.getRevision();
        if (older || !termFile.accept(assign.getTerm())) {
            return false;
        }
        newest.put(assign.getNodeId(), new NodeAssignment(assign, session));
        pending.add(assign.getNodeId());
        return true;
    }

    /// Makes the host start and stop tasks as assigned, wherever that may change anything. What
    /// fails stays to be done.
    ///
    /// @param models tells tasks where their models are; null without a cache
    /// @param session the current session, or 0 between sessions
    void carryOut(TaskHost host, @Nullable ModelCaches models, long session, HostChanges changes) {
        if (changes.anything() || session != lastSession) {
            pending.addAll(newest.keySet());
        }
        lastSession = session;
        pending.addAll(changes.nodes());
        for (String node : List.copyOf(pending)) {
            carryOut(host, models, session, node);
            pending.remove(node);
        }
    }

    private void carryOut(TaskHost host, @Nullable ModelCaches models, long session, String node) {
        NodeAssignment nodeAssignment = newest.get(node);
        if (nodeAssignment == null) {
            return;
        }
        List<TaskOrder> tasks = nodeAssignment.assign.getTasksList();
        if (nodeAssignment.session == session) {
            host.converge(node, models == null ? tasks : models.placed(node, tasks));
        } else {
            host.restrain(node, tasks);
        }
    }
}
