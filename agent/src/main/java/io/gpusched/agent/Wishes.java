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
final class Wishes {
    private final Terms terms;
    private final Map<String, Wish> newest = new LinkedHashMap<>();

    private record Wish(Assign assign, long session) {}

    Wishes(Terms terms) {
        this.terms = terms;
    }

    /// Takes the message unless a newer one, or one of a newer scheduler, came before.
    boolean take(Assign assign, long session) {
        Wish before = newest.get(assign.getNodeId());
        boolean older =
                before != null
                        && before.assign.getTerm() == assign.getTerm()
                        && before.assign.getRevision() > assign.getRevision();
        if (older || !terms.accept(assign.getTerm())) {
            return false;
        }
        newest.put(assign.getNodeId(), new Wish(assign, session));
        return true;
    }

    /// Brings the host nearer to what is wanted.
    ///
    /// @param session the present one, or 0 between sessions
    void carryOut(TaskHost host, long session) {
        for (Wish wish : newest.values()) {
            String node = wish.assign.getNodeId();
            if (wish.session == session) {
                host.converge(node, wish.assign.getTasksList());
            } else {
                host.restrain(node, wish.assign.getTasksList());
            }
        }
    }
}
