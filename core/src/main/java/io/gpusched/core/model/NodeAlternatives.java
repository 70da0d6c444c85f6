package io.gpusched.core.model;

import java.util.List;
import java.util.stream.Collectors;

/// Requirements on the labels of a node: alternatives, of which a node must meet one completely.
///
///     zone in (a, b) and label disk, or cards above 4
///
/// @param any the alternatives; none means any node
public record NodeAlternatives(List<List<NodeRequirement>> any) {
    public static final NodeAlternatives NONE = new NodeAlternatives(List.of());

    public NodeAlternatives {
        any = any.stream().map(List::copyOf).toList();
    }

    public boolean isEmpty() {
        return any.isEmpty();
    }

    /// Whether a node with these labels meets one of the alternatives.
    public boolean accept(Labels labels) {
        if (any.isEmpty()) {
            return true;
        }
        for (List<NodeRequirement> all : any) {
            if (accept(all, labels)) {
                return true;
            }
        }
        return false;
    }

    private static boolean accept(List<NodeRequirement> all, Labels labels) {
        for (NodeRequirement one : all) {
            if (!one.accepts(labels)) {
                return false;
            }
        }
        return true;
    }

    /// The requirements as a phrase for people.
    public String words() {
        return any.stream()
                .map(
                        all ->
                                all.stream()
                                        .map(NodeRequirement::words)
                                        .collect(Collectors.joining(" and ")))
                .collect(Collectors.joining(", or "));
    }
}
