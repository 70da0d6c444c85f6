package io.gpusched.core.state;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Open nodes by description and by what they have free, so that best fit looks at the fullest
/// suitable nodes first and at few others. Nodes described alike are a group; in it they stand on
/// shelves: one shelf for each number of idle GPUs, one for each size of what is left of a shared
/// GPU, one for nodes with MIG slices.
///
///     group 0 (8 × A100-80GB, rack=r1)   idle 0: n1 n4   idle 2: n3   idle 8: n2 n5 n6 …
///     group 1 (4 × L4)                   idle 1: n7      idle 4: n8   30 % left: n7
///
/// Nodes that take no new tasks are on no shelf.
public final class NodeIndex {
    /// Everything that fixed filters may look at: nodes that agree in it get the same answers.
    private record Description(
            List<Gpu> gpus, Topology topology, Resources host, List<Taint> taints, Labels labels) {
        static Description of(Node node) {
            var gpus =
                    node.gpus().stream().map(g -> new Gpu(g.index(), g.model(), g.memoryMiB(), ""));
            return new Description(
                    gpus.toList(), node.topology(), node.host(), node.taints(), node.labels());
        }
    }

    /// Shares are told apart by hundredths of a GPU.
    private static final int MILLI_PER_SHELF = 10;

    private static final int SHARED = Gpu.MOST_PER_NODE + 1;
    private static final int SLICED = SHARED + 1000 / MILLI_PER_SHELF + 1;

    private static final class Group {
        final List<NodeEntry> members = new ArrayList<>();
        final @Nullable Shelf[] shelves = new @Nullable Shelf[SLICED + 1];

        Shelf shelf(int number) {
            Shelf shelf = shelves[number];
            return shelf == null ? Shelf.EMPTY : shelf;
        }
    }

    private static Shelf made(@Nullable Shelf[] shelves, int number) {
        Shelf shelf = shelves[number];
        if (shelf == null) {
            shelf = new Shelf();
            shelves[number] = shelf;
        }
        return shelf;
    }

    private void move(NodeEntry node, int from, int to) {
        if (from == to) {
            return;
        }
        Group group = groups.get(node.group);
        if (from >= 0) {
            Shelf shelf = group.shelf(from);
            shelf.remove(node.place);
            if (shelf.isEmpty()) {
                made(groupsOn, from).remove(node.group);
            }
        }
        if (to >= 0) {
            Shelf shelf = made(group.shelves, to);
            if (shelf.isEmpty()) {
                made(groupsOn, to).add(node.group);
            }
            shelf.add(node.place);
        }
    }

    private final Map<Description, Integer> numbers = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();

    /// For each shelf, the groups that have a node on it.
    private final @Nullable Shelf[] groupsOn = new @Nullable Shelf[SLICED + 1];

    private long version;

    /// The shelf of nodes with exactly so many idle GPUs.
    public static int idle(int gpus) {
        return gpus;
    }

    /// The shelf of nodes whose emptiest shared GPU has so many thousandths left, or up to nine
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

    /// Any member of the group, all being described alike; null when it has none left.
    public @Nullable NodeView sample(int group) {
        List<NodeEntry> members = groups.get(group).members;
        return members.isEmpty() ? null : members.getFirst();
    }

    /// How many nodes the group has. Places count through them from 0, in the order of the ledger.
    public int size(int group) {
        return groups.get(group).members.size();
    }

    /// Whether no node of the group is on the shelf.
    public boolean isEmpty(int group, int shelf) {
        return groups.get(group).shelf(shelf).isEmpty();
    }

    /// The next group that has a node on the shelf, at or after group `from`; -1 when there is
    /// none.
    public int nextGroup(int shelf, int from) {
        Shelf groups = groupsOn[shelf];
        return groups == null ? -1 : groups.next(from);
    }

    /// The next node of the group on the shelf, at or after place `from`; -1 when there is none.
    public int next(int group, int shelf, int from) {
        return groups.get(group).shelf(shelf).next(from);
    }

    public NodeView member(int group, int place) {
        return groups.get(group).members.get(place);
    }

    /// Puts the node where its description and use say.
    void describe(NodeEntry node) {
        version++;
        remove(node);
        int number = number(Description.of(node.facts()));
        Group group = groups.get(number);
        node.group = number;
        boolean last = group.members.isEmpty() || group.members.getLast().index() < node.index();
        group.members.add(node);
        node.place = group.members.size() - 1;
        if (last) {
            update(node);
        } else {
            sort(number);
        }
    }

    /// Members are kept in the order of the ledger, whatever order they came in: a restored ledger
    /// must look at them in the same order.
    private void sort(int number) {
        Group group = groups.get(number);
        group.members.sort(Comparator.comparingInt(NodeEntry::index));
        for (int shelf = 0; shelf < group.shelves.length; shelf++) {
            if (!group.shelf(shelf).isEmpty()) {
                made(groupsOn, shelf).remove(number);
            }
        }
        Arrays.fill(group.shelves, null);
        for (int place = 0; place < group.members.size(); place++) {
            NodeEntry member = group.members.get(place);
            member.place = place;
            onNoShelf(member);
            update(member);
        }
    }

    private static void onNoShelf(NodeEntry node) {
        node.idleShelf = -1;
        node.sharedShelf = -1;
        node.slicedShelf = -1;
    }

    /// Moves the node to the shelves for what it has free now.
    void update(NodeEntry node) {
        if (node.group < 0) {
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
        move(node, node.idleShelf, idle);
        move(node, node.sharedShelf, shared);
        move(node, node.slicedShelf, sliced);
        node.idleShelf = idle;
        node.sharedShelf = shared;
        node.slicedShelf = sliced;
    }

    void remove(NodeEntry node) {
        version++;
        if (node.group >= 0) {
            int number = node.group;
            groups.get(number).members.remove(node);
            node.group = -1;
            onNoShelf(node);
            sort(number);
        }
    }

    private int number(Description description) {
        Integer known = numbers.get(description);
        if (known != null) {
            return known;
        }
        numbers.put(description, groups.size());
        groups.add(new Group());
        return groups.size() - 1;
    }
}
