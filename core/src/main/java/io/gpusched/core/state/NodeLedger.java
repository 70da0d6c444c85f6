package io.gpusched.core.state;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The nodes' part of the ledger, and the note of which of them have more to give than before.
final class NodeLedger {
    private final List<NodeEntry> all = new ArrayList<>();
    private final Map<NodeId, NodeEntry> byId = new LinkedHashMap<>();
    private final NodeIndex index = new NodeIndex();
    private final BitSet grown = new BitSet();
    private Capacity capacity = Capacity.NOTHING;
    private boolean fleetChanged;
    private boolean labelsChanged;
    private boolean usableGrew;
    private long growth;

    /// When jobs that still run on draining nodes are stopped.
    private final SequencedMap<NodeId, Instant> stopAt = new TreeMap<>();

    private long digest;

    /// All nodes; null when one has come or gone since they were last asked for.
    private @Nullable List<NodeView> views;

    /// The nodes of each agent, by index.
    private final Map<AgentId, SequencedMap<Integer, NodeEntry>> byAgent = new LinkedHashMap<>();

    /// Nodes handed out in lists so far.
    private long listed;

    List<NodeView> views() {
        List<NodeView> known = views;
        if (known == null) {
            known = new Listed(List.copyOf(byId.values()));
            views = known;
        }
        return known;
    }

    /// The nodes that the agent speaks for, by index.
    List<NodeView> views(AgentId agent) {
        SequencedMap<Integer, NodeEntry> own = byAgent.get(agent);
        return own == null ? List.of() : new Listed(List.copyOf(own.values()));
    }

    long listed() {
        return listed;
    }

    /// A list that counts what is read of it.
    private final class Listed extends AbstractList<NodeView> implements RandomAccess {
        private final List<? extends NodeView> nodes;

        Listed(List<? extends NodeView> nodes) {
            this.nodes = nodes;
        }

        @Override
        public NodeView get(int at) {
            listed++;
            return nodes.get(at);
        }

        @Override
        public int size() {
            return nodes.size();
        }
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
        boolean onlyLabels = entry != null && differInLabels(entry.facts(), node);
        if (entry == null) {
            entry = new NodeEntry(all.size(), node);
            all.add(entry);
            byId.put(node.id(), entry);
            views = null;
        } else {
            digest ^= entry.digest();
            uncount(entry);
            disown(entry);
            entry.describe(node);
        }
        count(entry);
        byAgent.computeIfAbsent(node.agent(), id -> new TreeMap<>()).put(entry.index(), entry);
        digest ^= entry.digest();
        index.describe(entry);
        if (onlyLabels) {
            labelsChanged = true;
            growth++;
        } else {
            fleetChanged(entry);
        }
    }

    /// Whether the two differ in nothing but labels that say nothing about the GPUs.
    private static boolean differInLabels(Node one, Node other) {
        var same =
                new Node(
                        one.id(),
                        one.agent(),
                        one.address(),
                        one.gpus(),
                        one.topology(),
                        one.host(),
                        one.taints(),
                        other.labels());
        return same.equals(other)
                && MigConfig.of(one.labels()).equals(MigConfig.of(other.labels()));
    }

    private void disown(NodeEntry entry) {
        byAgent.computeIfPresent(
                entry.facts().agent(),
                (agent, own) -> own.remove(entry.index()) != null && own.isEmpty() ? null : own);
    }

    /// Puts in a node from an image.
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
        disown(entry);
        stopAt.remove(id);
        uncount(entry);
        views = null;
        fleetChanged = true;
    }

    /// A node that was opened again begins anew: what it refused before is forgotten.
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

    /// Only nodes that take new tasks are capacity to be shared.
    private void count(NodeEntry entry) {
        capacity = entry.status().open() ? capacity.plus(entry.facts()) : capacity;
    }

    private void uncount(NodeEntry entry) {
        capacity = entry.status().open() ? capacity.minus(entry.facts()) : capacity;
    }

    void refused(NodeId id, RefusedStart start) {
        update(entry(id), entry -> entry.refused(start));
    }

    /// A task started there: the node is well.
    void started(NodeId id) {
        NodeEntry well = entry(id);
        if (!well.refusals().isEmpty()) {
            update(well, NodeEntry::refusedNothing);
        }
    }

    /// Changes one entry in a way that may give it more to offer.
    void change(NodeEntry entry, Consumer<NodeEntry> change) {
        update(entry, change);
        noteGrowth(entry);
        usableGrew = true;
    }

    /// Changes one entry, and with it what is worked out from all.
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

    /// The node may be able to take something it refused before.
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

    /// Rises whenever any node may have more to give than before.
    long growth() {
        return growth;
    }

    /// Whether more may be usable than when this was last asked, whoever uses it now: a GPU is well
    /// again, a promise was dropped.
    boolean takeUsableGrew() {
        boolean grew = usableGrew;
        usableGrew = false;
        return grew;
    }

    private void fleetChanged(NodeEntry entry) {
        fleetChanged = true;
        noteGrowth(entry);
    }

    /// Whether nodes joined, left or were described anew since this was last asked.
    boolean takeFleetChanged() {
        boolean changed = fleetChanged;
        fleetChanged = false;
        return changed;
    }

    /// Whether nodes got other labels, and were not described anew beyond that, since this was last
    /// asked.
    boolean takeLabelsChanged() {
        boolean changed = labelsChanged;
        labelsChanged = false;
        return changed;
    }

    /// Hands over every open node that may have more to give than when this was last asked.
    void takeGrowth(Consumer<NodeEntry> grew) {
        for (int i = grown.nextSetBit(0); i >= 0; i = grown.nextSetBit(i + 1)) {
            if (all.get(i).status().open()) {
                grew.accept(all.get(i));
            }
        }
        grown.clear();
    }
}
