package io.gpusched.agent;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.Assign;

import java.util.LinkedHashMap;
import java.util.Map;

/// The newest desired state of each node.
///
/// An assignment outlives its session, so that a stop once ordered is carried through while the
/// scheduler is away. But it starts tasks only within its session: after a break the scheduler may
/// have given up this machine and started the same job elsewhere, and the lease that is renewed
/// first in a new session must not revive an old assignment. A node without an assignment is left
/// as it is.
final class DesiredState {
    private final TermFile termFile;
    private final Map<String, NodeAssignment> newest = new LinkedHashMap<>();

    private record NodeAssignment(Assign assign, long session) {}

    DesiredState(TermFile termFile) {
        this.termFile = termFile;
    }

    /// Takes the message unless a newer one, or one of a newer scheduler, came before.
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
        return true;
    }

    /// Brings the host nearer to what is wanted.
    ///
    /// @param session the present one, or 0 between sessions
    void carryOut(TaskHost host, long session) {
        for (NodeAssignment nodeAssignment : newest.values()) {
            String node = nodeAssignment.assign.getNodeId();
            if (nodeAssignment.session == session) {
                host.converge(node, nodeAssignment.assign.getTasksList());
            } else {
                host.restrain(node, nodeAssignment.assign.getTasksList());
            }
        }
    }
}
