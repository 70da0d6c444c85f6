package io.gpusched.core.nodes;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Capacity;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Instants;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The nodes' part of the ledger. It also notes which nodes may have more free capacity than
/// before.
public final class NodeLedger implements IndexedNodes {
    private final List<NodeEntry> entries = new ArrayList<>();
    private final Map<NodeId, NodeEntry> byId = new LinkedHashMap<>();
    private final NodeIndex index = new NodeIndex();
    private final BitSet grown = new BitSet();

    /// Jobs whose runs are evicted in a trial that is open.
    private final Set<JobId> away = new LinkedHashSet<>();

    private Capacity capacity = Capacity.NOTHING;

    /// What is free on open nodes, claimed or not.
    private long freeMilliCpu;

    private long freeMemoryMiB;

    private boolean fleetChanged;
    private boolean labelsChanged;
    private boolean usableGrew;
    private long growth;

    /// When jobs that still run on draining nodes are stopped.
    private final SequencedMap<NodeId, Instant> stopAt = new TreeMap<>();

    private final SortedSet<NodeId> lost = new TreeSet<>();

    private long digest;
    private long foreignDigest;

    /// All nodes; null when one joined or left since the last call.
    private @Nullable List<NodeView> views;

    /// The nodes of each agent, by index.
    private final Map<AgentId, SequencedMap<Integer, NodeEntry>> byAgent = new LinkedHashMap<>();

    /// Nodes read from lists so far.
    private long listed;

    @Override
    public List<NodeView> all() {
        List<NodeView> known = views;
        if (known == null) {
            known = new Listed(List.copyOf(byId.values()));
            views = known;
        }
        return known;
    }

    @Override
    public List<NodeView> of(AgentId agent) {
        SequencedMap<Integer, NodeEntry> own = byAgent.get(agent);
        return own == null ? List.of() : new Listed(List.copyOf(own.values()));
    }

    @Override
    public long listed() {
        return listed;
    }

    /// A list that counts how many nodes are read from it.
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

    @Override
    public @Nullable NodeView find(NodeId id) {
        return byId.get(id);
    }

    /// The node, which must be in the ledger.
    public NodeView existing(NodeId id) {
        return entry(id);
    }

    NodeEntry entry(NodeId id) {
        NodeEntry entry = byId.get(id);
        Check.that(entry != null, "node %s is not in the ledger", id);
        return Objects.requireNonNull(entry);
    }

    @Override
    public NodeIndex index() {
        return index;
    }

    @Override
    public long version() {
        return index.version();
    }

    @Override
    public Trial trial() {
        return new Trial(this, away);
    }

    @Override
    public boolean isAway(JobId job) {
        return away.contains(job);
    }

    @Override
    public ShownNodes shownTo(JobId job, Instant endsBy, boolean first) {
        return new ShownNodes(this, HiddenCapacity.from(job, endsBy, first));
    }

    @Override
    public ShownNodes shownBy(ReservedCapacity reservedCapacity) {
        return new ShownNodes(this, HiddenCapacity.by(reservedCapacity));
    }

    /// @param ledger the version of the rules; what other systems use counts since version 2
    public long digest(int ledger) {
        return ledger > 1 ? digest ^ foreignDigest : digest;
    }

    public Capacity capacity() {
        return capacity;
    }

    @Override
    public FreeCapacity freeCapacity() {
        return new FreeCapacity(index, capacity, freeMilliCpu, freeMemoryMiB);
    }

    /// Adds what is free on the node to the totals, or subtracts it.
    private void countFree(NodeEntry entry, int sign) {
        if (entry.status().open()) {
            freeMilliCpu += sign * entry.unusedMilliCpu();
            freeMemoryMiB += sign * entry.unusedMemoryMiB();
        }
    }

    public void join(Node node) {
        NodeEntry entry = byId.get(node.id());
        boolean onlyLabels = entry != null && differInLabels(entry.facts(), node);
        if (entry == null) {
            entry = new NodeEntry(entries.size(), node);
            entries.add(entry);
            byId.put(node.id(), entry);
            views = null;
        } else {
            digest ^= entry.digest();
            uncount(entry);
            countFree(entry, -1);
            removeFromAgent(entry);
            entry.describe(node);
        }
        count(entry);
        countFree(entry, 1);
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

    /// Whether the two differ in labels alone, and in none that describes the GPUs.
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

    private void removeFromAgent(NodeEntry entry) {
        byAgent.computeIfPresent(
                entry.facts().agent(),
                (agent, own) -> own.remove(entry.index()) != null && own.isEmpty() ? null : own);
    }

    /// Restores a node from an image.
    public void restore(NodeImage image) {
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

    public void remove(NodeId id) {
        NodeEntry entry = entry(id);
        index.remove(entry);
        digest ^= entry.digest();
        foreignDigest ^= entry.foreignDigest();
        byId.remove(id);
        removeFromAgent(entry);
        stopAt.remove(id);
        lost.remove(id);
        uncount(entry);
        countFree(entry, -1);
        views = null;
        fleetChanged = true;
    }

    /// A node that is uncordoned starts afresh: its earlier refusals are forgotten.
    public void status(NodeId id, NodeStatus status) {
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
        if (status.reach() == NodeStatus.Reach.LOST) {
            lost.add(id);
        } else {
            lost.remove(id);
        }
        fleetChanged(changed);
    }

    @Override
    public List<NodeId> lost() {
        return List.copyOf(lost);
    }

    @Override
    public List<NodeId> drainsDue(Instant now) {
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
    public @Nullable Instant nextDrainDue() {
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

    public void refused(NodeId id, RefusedStart start) {
        update(entry(id), entry -> entry.refused(start));
    }

    /// A task started there, so the node is healthy.
    public void started(NodeId id) {
        NodeEntry well = entry(id);
        if (!well.refusals().isEmpty()) {
            update(well, NodeEntry::refusedNothing);
        }
    }

    public void condition(NodeId id, int gpu, GpuCondition condition) {
        change(entry(id), entry -> entry.condition(gpu, condition));
    }

    public void foreign(NodeId id, List<ForeignTask> all) {
        change(entry(id), entry -> entry.foreign(all));
    }

    /// Changes one entry in a way that may increase its free capacity.
    private void change(NodeEntry entry, Consumer<NodeEntry> change) {
        update(entry, change);
        noteGrowth(entry);
        usableGrew = true;
    }

    /// Changes one entry, and the totals derived from all.
    private void update(NodeEntry entry, Consumer<NodeEntry> change) {
        digest ^= entry.digest();
        foreignDigest ^= entry.foreignDigest();
        countFree(entry, -1);
        change.accept(entry);
        countFree(entry, 1);
        digest ^= entry.digest();
        foreignDigest ^= entry.foreignDigest();
        index.update(entry);
    }

    public void take(Slot slot, JobId job) {
        update(
                entry(slot.node()),
                entry -> {
                    entry.take(slot);
                    entry.house(job);
                });
    }

    /// The same for a task that held the slot before; the node may have been described smaller
    /// since.
    public void takeBack(Slot slot, JobId job) {
        update(
                entry(slot.node()),
                entry -> {
                    entry.takeBack(slot);
                    entry.house(job);
                });
    }

    public void release(Slot slot, JobId job) {
        NodeEntry released = entry(slot.node());
        update(
                released,
                entry -> {
                    entry.release(slot);
                    entry.unhouse(job);
                });
        noteGrowth(released);
    }

    /// Hides the capacity that the claim names from jobs that it is not for.
    public void addClaim(Claim claim) {
        for (Slot slot : claim.slots()) {
            entry(slot.node()).addClaim(claim);
        }
    }

    /// Shows the capacity that the claim named to all jobs again.
    public void forget(Claim claim) {
        for (Slot slot : claim.slots()) {
            NodeEntry entry = byId.get(slot.node());
            if (entry != null) {
                entry.forget(claim);
                noteGrowth(entry);
                usableGrew = true;
            }
        }
    }

    private void noteGrowth(NodeEntry entry) {
        grown.set(entry.index());
        growth++;
    }

    @Override
    public long growth() {
        return growth;
    }

    /// Whether more capacity may be usable than at the last call, free or in use: a GPU is healthy
    /// again, or a claim was dropped.
    public boolean takeUsableGrew() {
        boolean grew = usableGrew;
        usableGrew = false;
        return grew;
    }

    private void fleetChanged(NodeEntry entry) {
        fleetChanged = true;
        noteGrowth(entry);
    }

    /// Whether nodes joined, left or were described anew since the last call.
    public boolean takeFleetChanged() {
        boolean changed = fleetChanged;
        fleetChanged = false;
        return changed;
    }

    /// Whether nodes got other labels, and no other change of description, since the last call.
    public boolean takeLabelsChanged() {
        boolean changed = labelsChanged;
        labelsChanged = false;
        return changed;
    }

    /// Visits every open node whose free capacity may have grown since the last call.
    public void takeGrowth(Consumer<NodeView> grew) {
        for (int i = grown.nextSetBit(0); i >= 0; i = grown.nextSetBit(i + 1)) {
            if (entries.get(i).status().open()) {
                grew.accept(entries.get(i));
            }
        }
        grown.clear();
    }
}
