package io.gpusched.core.nodes;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// A hypothetical change of the nodes' free capacity, which is always undone.
///
///     try (Trial trial = state.trial()) {
///         trial.evict(victim);
///         … does the job fit now? …
///     }   // as if nothing had happened
public final class Trial implements AutoCloseable {
    /// @param of the job whose run holds the slot; null where there is none
    private record Step(NodeEntry node, Slot slot, boolean taken, @Nullable JobId of) {}

    private final NodeLedger nodeLedger;

    /// Jobs whose runs are evicted now, in any trial.
    private final Set<JobId> away;

    private final List<Step> steps = new ArrayList<>();

    Trial(NodeLedger nodeLedger, Set<JobId> away) {
        this.nodeLedger = nodeLedger;
        this.away = away;
    }

    /// Takes the slot on trial.
    public void place(Slot slot) {
        NodeEntry node = nodeLedger.entry(slot.node());
        node.take(slot);
        nodeLedger.index().update(node);
        steps.add(new Step(node, slot, true, null));
    }

    /// Frees everything the run holds, on trial.
    public void evict(Run run) {
        evict(run, node -> {});
    }

    /// The same, and passes on every node that has more now; one after the other, perhaps twice.
    public void evict(Run run, Consumer<NodeView> changed) {
        away.add(run.id().job());
        move(run, false, changed);
    }

    /// Restores an evicted run on trial, and passes on every node that has less now.
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

    /// A point for [#undo].
    public int mark() {
        return steps.size();
    }

    /// Undoes everything since `mark`.
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
