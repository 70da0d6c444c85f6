package io.gpusched.agent;

import io.gpusched.wire.proto.agent.Assign;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// The newest desired state of each node. It is kept while the scheduler is away, so that a stop
/// once ordered is carried through; a node of which nothing was heard is left as it is.
final class Wishes {
    private final Terms terms;
    private final Map<String, Assign> newest = new LinkedHashMap<>();

    Wishes(Terms terms) {
        this.terms = terms;
    }

    /// Takes the message unless a newer one, or one of a newer scheduler, came before.
    boolean take(Assign assign) {
        Assign before = newest.get(assign.getNodeId());
        boolean older =
                before != null
                        && before.getTerm() == assign.getTerm()
                        && before.getRevision() > assign.getRevision();
        if (older || !terms.accept(assign.getTerm())) {
            return false;
        }
        newest.put(assign.getNodeId(), assign);
        return true;
    }

    Collection<Assign> all() {
        return newest.values();
    }
}
