package io.gpusched.core.policy.filter;

import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// Refuses nodes whose labels meet none of a job's alternatives.
///
///     n1 {zone=a}  n2 {zone=c}    a job for zone in (a, b)   →   n2 is refused
public final class NodeRequirements implements Filter {
    private static final int LONGEST = 300;

    /// The last refusal: often many nodes in a row fail the same requirements.
    private record Cached(NodeAlternatives wanted, Refusal refusal) {}

    private Cached cached = new Cached(NodeAlternatives.NONE, refusal(NodeAlternatives.NONE));

    @Override
    public @Nullable Refusal refuse(Shape shape, NodeView node) {
        if (shape.requires().accept(node.facts().labels())) {
            return null;
        }
        Cached last = cached;
        if (!last.wanted.equals(shape.requires())) {
            last = new Cached(shape.requires(), refusal(shape.requires()));
            cached = last;
        }
        return last.refusal;
    }

    private static Refusal refusal(NodeAlternatives wanted) {
        return Refusal.untilFleet("node-requirements", "node does not have " + words(wanted));
    }

    /// The requirements in words, cut where a list of values is very long.
    public static String words(NodeAlternatives wanted) {
        String words = wanted.words();
        return words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "…";
    }
}
