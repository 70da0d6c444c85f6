package io.gpusched.core.nodes;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A hypothesis: changes what nodes have free, remembers how to undo it, and always does.
///
///     try (Trial trial = state.trial()) {
///         trial.evict(victim);
///         … does the job fit now? …
///     }   // as if nothing had happened
public final class Trial implements AutoCloseable {
    /// @param of whose run's slot it is; null where none is
    private record Step(NodeEntry node, Slot slot, boolean taken, @Nullable JobId of) {}

    private final NodeLedger nodeLedger;

    /// Jobs whose runs are evicted now, in any trial.
    private final Set<JobId> away;

    private final List<Step> steps = new ArrayList<>();

    Trial(NodeLedger nodeLedger, Set<JobId> away) {
        this.nodeLedger = nodeLedger;
        this.away = away;
    }

    /// Pretends that the slot is taken.
    public void place(Slot slot) {
        NodeEntry node = nodeLedger.entry(slot.node());
        node.take(slot);
        nodeLedger.index().update(node);
        steps.add(new Step(node, slot, true, null));
    }

    /// Pretends that everything the run holds is free.
    public void evict(Run run) {
        evict(run, node -> {});
    }

    /// The same, and hands over every node that has more now; one after the other, perhaps twice.
    public void evict(Run run, Consumer<NodeView> changed) {
        away.add(run.id().job());
        move(run, false, changed);
    }

    /// Pretends that an evicted run is back, and hands over every node that has less now.
    public void restore(Run run, Consumer<NodeView> changed) {
        away.remove(run.id().job());
        move(run, true, changed);
    }

    private void move(Run run, boolean taken, Consumer<NodeView> changed) {
        NodeEntry node = null;
        for (Slot slot : run.on().slots()) {
            if (node == null || !node.facts().id().equals(slot.node())) {
                settle(node, changed);
                node = nodeLedger.entry(slot.node());
            }
            if (taken) {
                node.takeBack(slot);
            } else {
                node.release(slot);
            }
            steps.add(new Step(node, slot, taken, run.id().job()));
        }
        settle(node, changed);
    }

    private void settle(@Nullable NodeEntry node, Consumer<NodeView> changed) {
        if (node != null) {
            nodeLedger.index().update(node);
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
            if (step.of() != null && step.taken()) {
                away.add(step.of());
            } else if (step.of() != null) {
                away.remove(step.of());
            }
            nodeLedger.index().update(step.node());
        }
    }

    @Override
    public void close() {
        undo(0);
    }
}
