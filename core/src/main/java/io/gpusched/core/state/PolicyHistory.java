package io.gpusched.core.state;

import io.gpusched.core.event.Event;

import java.util.ArrayDeque;
import java.util.List;

/// The policy that was chosen by command, and its last changes.
final class PolicyHistory {
    private static final int KEPT = 100;

    private final ArrayDeque<Event.PolicyChanged> changes = new ArrayDeque<>();
    private String policy = "";

    void restore(String name, List<Event.PolicyChanged> last) {
        policy = name;
        changes.addAll(last);
    }

    void add(Event.PolicyChanged change) {
        policy = change.policy();
        changes.addLast(change);
        if (changes.size() > KEPT) {
            changes.removeFirst();
        }
    }

    /// Empty when none was chosen.
    String policy() {
        return policy;
    }

    /// Oldest first.
    List<Event.PolicyChanged> changes() {
        return List.copyOf(changes);
    }
}
