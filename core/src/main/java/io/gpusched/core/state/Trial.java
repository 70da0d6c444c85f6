package io.gpusched.core.state;

import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A hypothesis: changes what nodes have free, remembers how to undo it, and always does.
///
///     try (Trial trial = state.trial()) {
///         trial.evict(victim);
///         … does the job fit now? …
///     }   // as if nothing had happened
public final class Trial implements AutoCloseable {
    private record Step(NodeEntry node, Slot slot, boolean taken) {}

    private final Nodes nodes;
    private final List<Step> steps = new ArrayList<>();

    Trial(Nodes nodes) {
        this.nodes = nodes;
    }

    /// Pretends that the slot is taken.
    public void place(Slot slot) {
        NodeEntry node = nodes.entry(slot.node());
        node.take(slot);
        nodes.index().update(node);
        steps.add(new Step(node, slot, true));
    }

    /// Pretends that everything the run holds is free.
    public void evict(Run run) {
        evict(run, node -> {});
    }

    /// The same, and hands over every node that has more now; one after the other, perhaps twice.
    public void evict(Run run, Consumer<NodeView> changed) {
        move(run.on().slots(), false, changed);
    }

    /// Pretends that an evicted run is back, and hands over every node that has less now.
    public void restore(Run run, Consumer<NodeView> changed) {
        move(run.on().slots(), true, changed);
    }

    private void move(List<Slot> slots, boolean taken, Consumer<NodeView> changed) {
        NodeEntry node = null;
        for (Slot slot : slots) {
            if (node == null || !node.facts().id().equals(slot.node())) {
                settle(node, changed);
                node = nodes.entry(slot.node());
            }
            if (taken) {
                node.takeBack(slot);
            } else {
                node.release(slot);
            }
            steps.add(new Step(node, slot, taken));
        }
        settle(node, changed);
    }

    private void settle(@Nullable NodeEntry node, Consumer<NodeView> changed) {
        if (node != null) {
            nodes.index().update(node);
            changed.accept(node);
        }
    }

    /// A point to come back to.
    public int mark() {
        return steps.size();
    }

    /// Takes back everything since `mark`.
    public void undo(int mark) {
        while (steps.size() > mark) {
            Step step = steps.removeLast();
            if (step.taken()) {
                step.node().release(step.slot());
            } else {
                step.node().takeBack(step.slot());
            }
            nodes.index().update(step.node());
        }
    }

    @Override
    public void close() {
        undo(0);
    }
}
