package io.gpusched.core.place;

import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.nodes.NodeIndex;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.filter.NodeRequirements;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/// Names the label that a job selects and no node has, and the nearest labels that nodes have.
///
///     nodes: zone=a, zone=b    a job for zone=x → no node has the label zone=x; nodes have zone=a,
///         zone=b
///
/// If a node has the labels, this costs as much as a look into the index. Otherwise it looks at the
/// labels of every node.
final class SelectorCheck {
    private static final int MOST_NAMED = 5;

    private final ClusterState state;

    SelectorCheck(ClusterState state) {
        this.state = state;
    }

    /// Which of the labels that the shape selects no node has, or that no node meets its other
    /// requirements; null when a node has all of them.
    @Nullable String missing(Shape shape) {
        String missing = missing(shape.nodes());
        if (missing != null || shape.requires().isEmpty()) {
            return missing;
        }
        Shape ofAnySize = shape.withHost(Resources.NONE);
        NodeIndex.Carriers carriers = state.nodes().index().having(ofAnySize);
        return carriers == null || !carriers.isEmpty()
                ? null
                : "no node has " + NodeRequirements.words(shape.requires()) + both(shape);
    }

    private static String both(Shape shape) {
        return shape.nodes().isEmpty() ? "" : " and the labels " + shape.nodes();
    }

    @Nullable String missing(Labels wanted) {
        if (wanted.isEmpty() || isCarried(wanted)) {
            return null;
        }
        for (var label : wanted.entries().entrySet()) {
            if (!isCarried(Labels.of(label.getKey(), label.getValue()))) {
                return "no node has the label " + words(label) + nearest(label.getKey());
            }
        }
        List<String> labels =
                wanted.entries().entrySet().stream().map(SelectorCheck::words).toList();
        return "no node has all of the labels " + String.join(", ", labels);
    }

    private boolean isCarried(Labels wanted) {
        NodeIndex.Carriers carriers = state.nodes().index().having(wanted, Resources.NONE);
        return carriers == null || !carriers.isEmpty();
    }

    private String nearest(String wanted) {
        SortedSet<String> keys = new TreeSet<>();
        for (NodeView node : state.nodes().all()) {
            keys.addAll(node.facts().labels().entries().keySet());
        }
        String key =
                keys.contains(wanted) ? wanted : SpellingSuggestion.to(wanted, List.copyOf(keys));
        return key == null
                ? "; an agent sets labels with --labels KEY=VALUE"
                : "; nodes have " + labelsWith(key);
    }

    /// The first few labels with the key: `zone=a, zone=b`.
    private String labelsWith(String key) {
        SortedSet<String> labels = new TreeSet<>();
        for (NodeView node : state.nodes().all()) {
            Map<String, String> its = node.facts().labels().entries();
            if (its.containsKey(key)) {
                labels.add(key + "=" + its.get(key));
            }
        }
        List<String> named = labels.stream().limit(MOST_NAMED).toList();
        return String.join(", ", named) + (labels.size() > MOST_NAMED ? ", …" : "");
    }

    private static String words(Map.Entry<String, String> label) {
        return label.getKey() + "=" + label.getValue();
    }
}
