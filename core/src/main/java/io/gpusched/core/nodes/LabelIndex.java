package io.gpusched.core.nodes;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeRequirement;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Nodes by their labels.
///
///     rack=r1: n1 n2 n7 …       host=n3: n3
final class LabelIndex {
    private record Label(String key, String value) {}

    private final Map<Label, Set<NodeEntry>> carriers = new LinkedHashMap<>();
    private final Map<String, Integer> keys = new LinkedHashMap<>();

    /// Whether any node carries a label with this key.
    boolean isCarried(String key) {
        return keys.containsKey(key);
    }

    /// The carriers of that label among these which the fewest nodes have.
    Collection<NodeEntry> rarest(Labels wanted) {
        Collection<NodeEntry> rarest = null;
        for (var pair : wanted.entries().entrySet()) {
            Collection<NodeEntry> some = carriers(pair.getKey(), pair.getValue());
            rarest = rarest == null || some.size() < rarest.size() ? some : rarest;
        }
        return rarest == null ? List.of() : rarest;
    }

    /// All nodes that may meet one of the alternatives, found by lists of values; null if an
    /// alternative has no such list, so that any node may meet it.
    @Nullable Collection<NodeEntry> carriers(NodeAlternatives wanted) {
        var some = new LinkedHashSet<NodeEntry>();
        for (List<NodeRequirement> all : wanted.any()) {
            Collection<NodeEntry> fewest = fewest(all);
            if (fewest == null) {
                return null;
            }
            some.addAll(fewest);
        }
        return some;
    }

    private @Nullable Collection<NodeEntry> fewest(List<NodeRequirement> all) {
        List<NodeEntry> fewest = null;
        for (NodeRequirement one : all) {
            if (one.operator() == NodeRequirement.Operator.IN) {
                var these = new ArrayList<NodeEntry>();
                one.values().forEach(value -> these.addAll(carriers(one.key(), value)));
                fewest = fewest == null || these.size() < fewest.size() ? these : fewest;
            }
        }
        return fewest;
    }

    private Collection<NodeEntry> carriers(String key, String value) {
        Set<NodeEntry> known = carriers.get(new Label(key, value));
        return known == null ? List.of() : known;
    }

    /// Notes that the node now has these labels.
    void carry(NodeEntry node, Labels labels) {
        if (node.labels.equals(labels)) {
            return;
        }
        for (var pair : node.labels.entries().entrySet()) {
            carriers.computeIfPresent(
                    new Label(pair.getKey(), pair.getValue()),
                    (label, nodes) -> nodes.remove(node) && nodes.isEmpty() ? null : nodes);
            keys.computeIfPresent(pair.getKey(), (key, count) -> count == 1 ? null : count - 1);
        }
        node.labels = labels;
        for (var pair : labels.entries().entrySet()) {
            carriers.computeIfAbsent(
                            new Label(pair.getKey(), pair.getValue()),
                            label -> new LinkedHashSet<>())
                    .add(node);
            keys.merge(pair.getKey(), 1, Integer::sum);
        }
    }
}
