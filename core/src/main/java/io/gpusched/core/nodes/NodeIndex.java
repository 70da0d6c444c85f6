package io.gpusched.core.nodes;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// Open nodes by description and by free capacity, so that best fit looks at the fullest suitable
/// nodes first and at few others. Nodes with equal descriptions form a group; in it they are
/// indexed by levels (shelves): one for each number of idle GPUs, one for each size of what is left
/// of a shared GPU, one for nodes with MIG slices.
///
///     group 0 (8 × A100-80GB)   idle 0: n1 n4   idle 2: n3   idle 8: n2 n5 n6 …
///     group 1 (4 × L4)          idle 1: n7      idle 4: n8   30 % left: n7
///     rack=r1: n1 n2 n7 …       host=n3: n3
///
/// Labels, except the one for MIG, do not form groups, and neither do cores and memory of the host:
/// in a real fleet they differ from node to node, and would make as many groups as there are nodes.
/// [#having] finds the nodes that satisfy a task's labels and host resources. Nodes that take no
/// new tasks are on no shelf.
///
/// Groups are numbered in the order of their first members in the ledger, and a group without
/// members is dropped. So the numbers follow from the present nodes alone: a ledger restored from
/// an image numbers its groups as the original did.
public final class NodeIndex {
    /// Everything that fixed filters may depend on: nodes with equal descriptions get equal
    /// answers.
    private record Description(
            List<Gpu> gpus, Topology topology, MigConfig mig, List<Taint> taints) {
        static Description of(Node node) {
            var gpus =
                    node.gpus().stream().map(g -> new Gpu(g.index(), g.model(), g.memoryMiB(), ""));
            return new Description(
                    gpus.toList(), node.topology(), MigConfig.of(node.labels()), node.taints());
        }
    }

    /// The nodes that carry certain labels or are large enough; valid until [#version] changes.
    public static final class Carriers {
        /// The members of each group; null for all of the group.
        private final @Nullable HierarchicalBitSet[] places;

        private Carriers(@Nullable HierarchicalBitSet[] places) {
            this.places = places;
        }

        public boolean isEmpty() {
            for (int group = 0; group < places.length; group++) {
                if (areIn(group)) {
                    return false;
                }
            }
            return true;
        }

        /// Whether any node of the group is among them.
        public boolean areIn(int group) {
            HierarchicalBitSet some = places[group];
            return some == null || !some.isEmpty();
        }
    }

    /// Shares are distinguished by hundredths of a GPU.
    private static final int MILLI_PER_SHELF = 10;

    private static final int SHARED = Gpu.MOST_PER_NODE + 1;
    private static final int SLICED = SHARED + 1000 / MILLI_PER_SHELF + 1;

    /// Nodes with equal descriptions, in the order of the ledger; never empty. A member is found by
    /// its index in the ledger, so no member moves when another joins or leaves.
    final class Group {
        private final Description description;
        private final HierarchicalBitSet members = new HierarchicalBitSet();
        private final @Nullable HierarchicalBitSet[] shelves =
                new @Nullable HierarchicalBitSet[SLICED + 1];
        private final HostSizes hosts = new HostSizes();
        private int number;

        private Group(Description description) {
            this.description = description;
        }

        private int first() {
            return members.next(0);
        }

        /// The members with at least this many cores and this much memory; null for all.
        private @Nullable HierarchicalBitSet havingHost(Resources host) {
            if (host.fitsIn(hosts.least())) {
                return null;
            }
            if (!host.fitsIn(hosts.most())) {
                return HierarchicalBitSet.EMPTY;
            }
            var places = new HierarchicalBitSet();
            for (int at = members.next(0); at >= 0; at = members.next(at + 1)) {
                if (host.fitsIn(entry(at).facts().host())) {
                    places.add(at);
                }
            }
            return places;
        }

        HierarchicalBitSet shelf(int number) {
            HierarchicalBitSet hierarchicalBitSet = shelves[number];
            return hierarchicalBitSet == null ? HierarchicalBitSet.EMPTY : hierarchicalBitSet;
        }

        void move(int from, int to, int place) {
            if (from >= 0) {
                shelf(from).remove(place);
            }
            if (to >= 0) {
                HierarchicalBitSet hierarchicalBitSet = shelves[to];
                if (hierarchicalBitSet == null) {
                    hierarchicalBitSet = new HierarchicalBitSet();
                    shelves[to] = hierarchicalBitSet;
                }
                hierarchicalBitSet.add(place);
            }
        }
    }

    /// The nodes by index; null where a node is in no group.
    private @Nullable NodeEntry[] entries = new @Nullable NodeEntry[16];

    /// How many nodes moved to other shelves, and groups got another number, so far.
    private long moved;

    private final Map<Description, Group> byDescription = new LinkedHashMap<>();

    /// In the order of their first members; each index here is the group's number.
    private final List<Group> groups = new ArrayList<>();

    private final LabelIndex labels = new LabelIndex();
    private long version;

    /// The shelf of nodes with exactly this many idle GPUs.
    public static int idle(int gpus) {
        return gpus;
    }

    /// The shelf of nodes whose emptiest shared GPU has this many thousandths left, or up to nine
    /// more.
    public static int shared(int milli) {
        return SHARED + milli / MILLI_PER_SHELF;
    }

    /// The shelf of nodes with MIG slices in use.
    public static int sliced() {
        return SLICED;
    }

    /// Changes whenever a node joins, leaves or is described anew.
    public long version() {
        return version;
    }

    public int groups() {
        return groups.size();
    }

    /// A member of the group. The others have the same GPUs, connections, slices and taints, but
    /// may have other labels, and more or less cores and memory.
    public NodeView sample(int group) {
        return entry(groups.get(group).first());
    }

    /// How many nodes the group has.
    public int size(int group) {
        return groups.get(group).members.size();
    }

    /// How many nodes of the group have at least `host` when they are idle.
    public int large(int group, Resources host) {
        HierarchicalBitSet some = groups.get(group).havingHost(host);
        return some == null ? size(group) : some.size();
    }

    /// How many nodes of the group are on the shelf.
    int count(int group, int shelf) {
        return groups.get(group).shelf(shelf).size();
    }

    /// Whether no node of the group is on the shelf.
    public boolean isEmpty(int group, int shelf) {
        return groups.get(group).shelf(shelf).isEmpty();
    }

    /// The index of the next node of the group, at or after index `from`; -1 when there is none. A
    /// node has the same index here as in the ledger.
    public int next(int group, int from) {
        return groups.get(group).members.next(from);
    }

    /// The next node of the group on the shelf, at or after index `from`; -1 when there is none.
    public int next(int group, int shelf, int from) {
        return groups.get(group).shelf(shelf).next(from);
    }

    /// The same among these nodes only.
    public int next(int group, int shelf, Carriers only, int from) {
        HierarchicalBitSet places = only.places[group];
        HierarchicalBitSet all = groups.get(group).shelf(shelf);
        return places == null ? all.next(from) : all.next(places, from);
    }

    /// The nodes that carry all of `wanted` and have at least `host` when they are idle; null when
    /// all do. The cost is the number of carriers of the rarest label or, where no label is wanted,
    /// a look at each node of a group in which only some are large enough.
    public @Nullable Carriers having(Labels wanted, Resources host) {
        return wanted.isEmpty() ? havingHost(host) : carrying(wanted, host);
    }

    /// The same for all that the shape says of a node's labels, and its host. Requirements without
    /// a list of values cost a look at each node, so the caller should keep the answer.
    public @Nullable Carriers having(Shape shape) {
        if (shape.requires().isEmpty()) {
            return having(shape.nodes(), shape.host());
        }
        var found = new Found();
        for (NodeEntry node : possible(shape)) {
            if (shape.selects(node.facts().labels()) && shape.host().fitsIn(node.facts().host())) {
                found.add(node);
            }
        }
        return new Carriers(found.places);
    }

    private Collection<NodeEntry> possible(Shape shape) {
        Collection<NodeEntry> some =
                shape.nodes().isEmpty()
                        ? labels.carriers(shape.requires())
                        : labels.rarest(shape.nodes());
        return some == null ? allMembers() : some;
    }

    private List<NodeEntry> allMembers() {
        var all = new ArrayList<NodeEntry>();
        for (NodeEntry entry : entries) {
            if (entry != null) {
                all.add(entry);
            }
        }
        return all;
    }

    private @Nullable Carriers havingHost(Resources host) {
        var places = new @Nullable HierarchicalBitSet[groups.size()];
        boolean all = true;
        for (Group group : groups) {
            HierarchicalBitSet some = group.havingHost(host);
            places[group.number] = some;
            all &= some == null;
        }
        return all ? null : new Carriers(places);
    }

    private Carriers carrying(Labels wanted, Resources host) {
        var found = new Found();
        for (NodeEntry node : labels.rarest(wanted)) {
            if (node.facts().labels().containAll(wanted) && host.fitsIn(node.facts().host())) {
                found.add(node);
            }
        }
        return new Carriers(found.places);
    }

    /// Collects nodes by group.
    private final class Found {
        final HierarchicalBitSet[] places = new HierarchicalBitSet[groups.size()];

        Found() {
            Arrays.fill(places, HierarchicalBitSet.EMPTY);
        }

        void add(NodeEntry node) {
            int group = groupOf(node);
            if (places[group].isEmpty()) {
                places[group] = new HierarchicalBitSet();
            }
            places[group].add(node.index());
        }
    }

    /// The nodes whose labels match. It looks at every node, so the caller should keep the answer.
    public Carriers carrying(Predicate<Labels> pleasing) {
        var found = new Found();
        for (Group group : groups) {
            for (int at = group.first(); at >= 0; at = group.members.next(at + 1)) {
                NodeEntry node = entry(at);
                if (pleasing.test(node.facts().labels())) {
                    found.add(node);
                }
            }
        }
        return new Carriers(found.places);
    }

    /// Whether there are no nodes at all.
    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /// Whether any node carries a label with this key.
    public boolean isCarried(String key) {
        return labels.isCarried(key);
    }

    /// The group that the node is in; -1 when it is in none.
    public int groupOf(NodeView node) {
        Group group = ShownNode.itself(node) instanceof NodeEntry entry ? entry.group : null;
        return group == null ? -1 : group.number;
    }

    /// The node with this index, which must be in a group.
    public NodeView member(int index) {
        return entry(index);
    }

    private NodeEntry entry(int index) {
        return Objects.requireNonNull(entries[index]);
    }

    /// How many nodes moved to other shelves, and groups got another number, so far.
    public long moved() {
        return moved;
    }

    /// Puts the node into the group and onto the shelves of its description and usage.
    void describe(NodeEntry node) {
        Node facts = node.facts();
        var description = Description.of(facts);
        Group group = node.group;
        if (group == null || !group.description.equals(description)) {
            remove(node);
            add(node, description);
        } else if (!node.labels.equals(facts.labels()) || !node.host.equals(facts.host())) {
            version++;
            group.hosts.replace(node.host, facts.host());
        }
        labels.carry(node, facts.labels());
        node.host = facts.host();
        update(node);
    }

    private void add(NodeEntry node, Description description) {
        if (node.index() >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(node.index() + 1, entries.length * 2));
        }
        entries[node.index()] = node;
        Group group = byDescription.get(description);
        if (group == null) {
            group = new Group(description);
            byDescription.put(description, group);
            group.members.add(node.index());
            insert(group);
        } else if (node.index() < group.first()) {
            take(group);
            group.members.add(node.index());
            insert(group);
        } else {
            group.members.add(node.index());
        }
        node.group = group;
        group.hosts.add(node.facts().host());
    }

    /// Removes the group from the list. The groups behind it keep their numbers until [#number].
    private void take(Group group) {
        groups.remove(group.number);
    }

    /// Inserts the group at the position of its first member, and numbers the groups again.
    private void insert(Group group) {
        int low = 0;
        int high = groups.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (groups.get(middle).first() < group.first()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        groups.add(low, group);
        number();
    }

    private void number() {
        for (int number = 0; number < groups.size(); number++) {
            Group group = groups.get(number);
            moved += group.number == number ? 0 : 1;
            group.number = number;
        }
    }

    private static void onNoShelf(NodeEntry node) {
        node.idleShelf = -1;
        node.sharedShelf = -1;
        node.slicedShelf = -1;
    }

    /// Moves the node to the shelves of its present free capacity.
    void update(NodeEntry node) {
        Group group = node.group;
        if (group == null) {
            return;
        }
        boolean open = node.status().open();
        int idle = open ? Long.bitCount(node.idleGpus()) : -1;
        int left = open ? node.mostLeftShared() : -1;
        int shared = left < 0 ? -1 : shared(left);
        int sliced = open && node.slicedGpus() != 0 ? SLICED : -1;
        if (idle == node.idleShelf && shared == node.sharedShelf && sliced == node.slicedShelf) {
            return;
        }
        moved++;
        group.move(node.idleShelf, idle, node.index());
        group.move(node.sharedShelf, shared, node.index());
        group.move(node.slicedShelf, sliced, node.index());
        node.idleShelf = idle;
        node.sharedShelf = shared;
        node.slicedShelf = sliced;
    }

    void remove(NodeEntry node) {
        version++;
        Group group = node.group;
        if (group == null) {
            return;
        }
        labels.carry(node, Labels.NONE);
        group.move(node.idleShelf, -1, node.index());
        group.move(node.sharedShelf, -1, node.index());
        group.move(node.slicedShelf, -1, node.index());
        onNoShelf(node);
        node.group = null;
        entries[node.index()] = null;
        boolean wasFirst = group.first() == node.index();
        group.members.remove(node.index());
        group.hosts.remove(node.host);
        if (group.members.isEmpty()) {
            byDescription.remove(group.description);
            take(group);
            number();
        } else if (wasFirst) {
            take(group);
            insert(group);
        }
    }
}
