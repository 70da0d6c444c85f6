package io.gpusched.core.state;

import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;

import java.util.ArrayList;
import java.util.List;

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
        for (Slot slot : run.on().slots()) {
            NodeEntry node = nodes.entry(slot.node());
            node.release(slot);
            nodes.index().update(node);
            steps.add(new Step(node, slot, false));
        }
    }

    /// Pretends that an evicted run is back.
    public void restore(Run run) {
        for (Slot slot : run.on().slots()) {
            NodeEntry node = nodes.entry(slot.node());
            node.takeBack(slot);
            nodes.index().update(node);
            steps.add(new Step(node, slot, true));
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
