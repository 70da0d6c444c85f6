package io.gpusched.core.state;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The nodes' part of the ledger. It also tracks which nodes have more free capacity than before.
final class NodeLedger {
    private final List<NodeEntry> all = new ArrayList<>();
    private final Map<NodeId, NodeEntry> byId = new LinkedHashMap<>();
    private final NodeIndex index = new NodeIndex();
    private final BitSet grown = new BitSet();
    private Capacity capacity = Capacity.NOTHING;
    private boolean fleetChanged;
    private boolean usableGrew;
    private long growth;

    /// When jobs that still run on draining nodes are stopped.
    private final SequencedMap<NodeId, Instant> stopAt = new TreeMap<>();

    private long digest;

    /// All nodes; null when one joined or left since the last call.
    private @Nullable List<NodeView> views;

    List<NodeView> views() {
        List<NodeView> known = views;
        if (known == null) {
            known = Collections.unmodifiableList(new ArrayList<>(byId.values()));
            views = known;
        }
        return known;
    }

    @Nullable NodeEntry find(NodeId id) {
        return byId.get(id);
    }

    NodeEntry entry(NodeId id) {
        NodeEntry entry = byId.get(id);
        Check.that(entry != null, "node %s is not in the ledger", id);
        return Objects.requireNonNull(entry);
    }

    NodeIndex index() {
        return index;
    }

    long digest() {
        return digest;
    }

    Capacity capacity() {
        return capacity;
    }

    void join(Node node) {
        NodeEntry entry = byId.get(node.id());
        if (entry == null) {
            entry = new NodeEntry(all.size(), node);
            all.add(entry);
            byId.put(node.id(), entry);
            views = null;
        } else {
            digest ^= entry.digest();
            uncount(entry);
            entry.describe(node);
        }
        count(entry);
        digest ^= entry.digest();
        index.describe(entry);
        fleetChanged(entry);
    }

    /// Restores a node from an image.
    void restore(StateImage.NodeImage image) {
        join(image.node());
        NodeEntry entry = entry(image.node().id());
        status(image.node().id(), image.status());
        for (int gpu = 0; gpu < image.conditions().size(); gpu++) {
            int index = gpu;
            change(entry, n -> n.condition(index, image.conditions().get(index)));
        }
        change(entry, n -> n.foreign(image.foreign()));
        image.refusals().forEach(one -> update(entry, n -> n.refused(one)));
    }

    void remove(NodeId id) {
        NodeEntry entry = entry(id);
        index.remove(entry);
        digest ^= entry.digest();
        byId.remove(id);
        stopAt.remove(id);
        uncount(entry);
        views = null;
        fleetChanged = true;
    }

    /// A node that is uncordoned starts afresh: its earlier refusals are forgotten.
    void status(NodeId id, NodeStatus status) {
        NodeEntry changed = entry(id);
        boolean reopened =
                !status.cordoned()
                        && !status.draining()
                        && status.reach() == changed.status().reach();
        uncount(changed);
        change(
                changed,
                entry -> {
                    entry.status(status);
                    if (reopened) {
                        entry.refusedNothing();
                    }
                });
        count(changed);
        Instant deadline = status.nodeClosure().stopAt();
        if (deadline == null) {
            stopAt.remove(id);
        } else {
            stopAt.put(id, deadline);
        }
        fleetChanged(changed);
    }

    /// Draining nodes whose deadline has passed.
    List<NodeId> drainsDue(Instant now) {
        var due = new ArrayList<NodeId>();
        stopAt.forEach(
                (id, deadline) -> {
                    if (!deadline.isAfter(now)) {
                        due.add(id);
                    }
                });
        return due;
    }

    /// The first deadline of a drain; null when there is none.
    @Nullable Instant nextDrainDue() {
        Instant first = null;
        for (Instant deadline : stopAt.values()) {
            first = Instants.earlier(first, deadline);
        }
        return first;
    }

    /// Only nodes that take new tasks count as capacity to be shared.
    private void count(NodeEntry entry) {
        capacity = entry.status().open() ? capacity.plus(entry.facts()) : capacity;
    }

    private void uncount(NodeEntry entry) {
        capacity = entry.status().open() ? capacity.minus(entry.facts()) : capacity;
    }

    void refused(NodeId id, RefusedStart start) {
        update(entry(id), entry -> entry.refused(start));
    }

    /// A task started there, so the node is healthy.
    void started(NodeId id) {
        NodeEntry well = entry(id);
        if (!well.refusals().isEmpty()) {
            update(well, NodeEntry::refusedNothing);
        }
    }

    /// Changes one entry in a way that may increase its free capacity.
    void change(NodeEntry entry, Consumer<NodeEntry> change) {
        update(entry, change);
        noteGrowth(entry);
        usableGrew = true;
    }

    /// Changes one entry, and the totals derived from all.
    private void update(NodeEntry entry, Consumer<NodeEntry> change) {
        digest ^= entry.digest();
        change.accept(entry);
        digest ^= entry.digest();
        index.update(entry);
    }

    void take(Slot slot, JobId job) {
        update(
                entry(slot.node()),
                entry -> {
                    entry.take(slot);
                    entry.house(job);
                });
    }

    /// The same for a task that held the slot before; the node may have been described smaller
    /// since.
    void takeBack(Slot slot, JobId job) {
        update(
                entry(slot.node()),
                entry -> {
                    entry.takeBack(slot);
                    entry.house(job);
                });
    }

    void release(Slot slot, JobId job) {
        NodeEntry released = entry(slot.node());
        update(
                released,
                entry -> {
                    entry.release(slot);
                    entry.unhouse(job);
                });
        noteGrowth(released);
    }

    /// Marks the node as one that may now fit what it refused before.
    void grew(NodeId id) {
        NodeEntry entry = byId.get(id);
        if (entry != null) {
            noteGrowth(entry);
            usableGrew = true;
        }
    }

    private void noteGrowth(NodeEntry entry) {
        grown.set(entry.index());
        growth++;
    }

    /// Increases whenever the free capacity of any node may have grown.
    long growth() {
        return growth;
    }

    /// Whether usable capacity may have grown since the last call, in use or not: a GPU is fit
    /// again, or a claim was dropped.
    boolean takeUsableGrew() {
        boolean grew = usableGrew;
        usableGrew = false;
        return grew;
    }

    private void fleetChanged(NodeEntry entry) {
        fleetChanged = true;
        noteGrowth(entry);
    }

    /// Whether nodes joined, left or were described anew since the last call.
    boolean takeFleetChanged() {
        boolean changed = fleetChanged;
        fleetChanged = false;
        return changed;
    }

    /// Visits every open node whose free capacity may have grown since the last call.
    void takeGrowth(Consumer<NodeEntry> grew) {
        for (int i = grown.nextSetBit(0); i >= 0; i = grown.nextSetBit(i + 1)) {
            if (all.get(i).status().open()) {
                grew.accept(all.get(i));
            }
        }
        grown.clear();
    }
}
