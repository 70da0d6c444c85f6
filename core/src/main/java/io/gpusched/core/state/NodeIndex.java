package io.gpusched.core.state;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;
import io.gpusched.core.model.Topology;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// Open nodes by description and by what they have free, so that best fit looks at the fullest
/// suitable nodes first and at few others. Nodes described alike are a group; in it they stand on
/// shelves: one shelf for each number of idle GPUs, one for each size of what is left of a shared
/// GPU, one for nodes with MIG slices.
///
///     group 0 (8 × A100-80GB)   idle 0: n1 n4   idle 2: n3   idle 8: n2 n5 n6 …
///     group 1 (4 × L4)          idle 1: n7      idle 4: n8   30 % left: n7
///     rack=r1: n1 n2 n7 …       host=n3: n3
///
/// Labels, but for the one on MIG, make no groups, or one that differs from node to node would make
/// as many groups as there are nodes; they are looked up for those who ask for them. Nodes that
/// take no new tasks are on no shelf.
public final class NodeIndex {
    /// Everything that fixed filters may look at: nodes that agree in it get the same answers.
    private record Description(
            List<Gpu> gpus, Topology topology, MigConfig mig, Resources host, List<Taint> taints) {
        static Description of(Node node) {
            var gpus =
                    node.gpus().stream().map(g -> new Gpu(g.index(), g.model(), g.memoryMiB(), ""));
            return new Description(
                    gpus.toList(),
                    node.topology(),
                    MigConfig.of(node.labels()),
                    node.host(),
                    node.taints());
        }
    }

    private record Label(String key, String value) {}

    /// Where the nodes are that carry certain labels; it holds until [#version] changes.
    public static final class Carriers {
        private final Shelf[] places;

        private Carriers(Shelf[] places) {
            this.places = places;
        }

        public boolean isEmpty() {
            for (Shelf place : places) {
                if (!place.isEmpty()) {
                    return false;
                }
            }
            return true;
        }

        /// Whether any node of the group does.
        public boolean areIn(int group) {
            return !places[group].isEmpty();
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

        void move(int from, int to, int place) {
            if (from >= 0) {
                shelf(from).remove(place);
            }
            if (to >= 0) {
                Shelf shelf = shelves[to];
                if (shelf == null) {
                    shelf = new Shelf();
                    shelves[to] = shelf;
                }
                shelf.add(place);
            }
        }
    }

    private final Map<Description, Integer> numbers = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final Map<Label, Set<NodeEntry>> carriers = new LinkedHashMap<>();
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

    /// The next node of the group on the shelf, at or after place `from`; -1 when there is none.
    public int next(int group, int shelf, int from) {
        return groups.get(group).shelf(shelf).next(from);
    }

    /// The same among nodes that carry certain labels.
    public int next(int group, int shelf, Carriers only, int from) {
        return groups.get(group).shelf(shelf).next(only.places[group], from);
    }

    /// The nodes that carry all of `wanted`. It costs as much as the rarest of them has carriers.
    public Carriers carrying(Labels wanted) {
        Collection<NodeEntry> rarest = null;
        for (var pair : wanted.entries().entrySet()) {
            var label = new Label(pair.getKey(), pair.getValue());
            Set<NodeEntry> known = carriers.get(label);
            Collection<NodeEntry> some = known == null ? List.of() : known;
            rarest = rarest == null || some.size() < rarest.size() ? some : rarest;
        }
        var places = new Shelf[groups.size()];
        Arrays.fill(places, Shelf.EMPTY);
        for (NodeEntry node : rarest == null ? List.<NodeEntry>of() : rarest) {
            if (node.facts().labels().containAll(wanted)) {
                if (places[node.group].isEmpty()) {
                    places[node.group] = new Shelf();
                }
                places[node.group].add(node.place);
            }
        }
        return new Carriers(places);
    }

    /// The nodes whose labels please. It looks at every node: whoever asks keeps the answer.
    public Carriers carrying(Predicate<Labels> pleasing) {
        var places = new Shelf[groups.size()];
        Arrays.fill(places, Shelf.EMPTY);
        for (int group = 0; group < places.length; group++) {
            for (NodeEntry node : groups.get(group).members) {
                if (pleasing.test(node.facts().labels())) {
                    if (places[group].isEmpty()) {
                        places[group] = new Shelf();
                    }
                    places[group].add(node.place);
                }
            }
        }
        return new Carriers(places);
    }

    /// The group that the node is in; -1 when it is in none.
    public int groupOf(NodeView node) {
        return node instanceof NodeEntry entry ? entry.group : -1;
    }

    public NodeView member(int group, int place) {
        return groups.get(group).members.get(place);
    }

    /// Puts the node where its description and use say.
    void describe(NodeEntry node) {
        int number = number(Description.of(node.facts()));
        if (node.group == number && node.labels.equals(node.facts().labels())) {
            update(node);
            return;
        }
        remove(node);
        carry(node, node.facts().labels());
        Group group = groups.get(number);
        node.group = number;
        boolean last = group.members.isEmpty() || group.members.getLast().index() < node.index();
        group.members.add(node);
        node.place = group.members.size() - 1;
        if (last) {
            update(node);
        } else {
            sort(group);
        }
    }

    /// Members are kept in the order of the ledger, whatever order they came in: a restored ledger
    /// must look at them in the same order.
    private void sort(Group group) {
        group.members.sort(Comparator.comparingInt(NodeEntry::index));
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
        Group group = groups.get(node.group);
        group.move(node.idleShelf, idle, node.place);
        group.move(node.sharedShelf, shared, node.place);
        group.move(node.slicedShelf, sliced, node.place);
        node.idleShelf = idle;
        node.sharedShelf = shared;
        node.slicedShelf = sliced;
    }

    void remove(NodeEntry node) {
        version++;
        if (node.group >= 0) {
            Group group = groups.get(node.group);
            group.members.remove(node);
            carry(node, Labels.NONE);
            node.group = -1;
            onNoShelf(node);
            sort(group);
        }
    }

    private void carry(NodeEntry node, Labels labels) {
        for (var pair : node.labels.entries().entrySet()) {
            carriers.computeIfPresent(
                    new Label(pair.getKey(), pair.getValue()),
                    (label, nodes) -> nodes.remove(node) && nodes.isEmpty() ? null : nodes);
        }
        node.labels = labels;
        for (var pair : labels.entries().entrySet()) {
            carriers.computeIfAbsent(
                            new Label(pair.getKey(), pair.getValue()),
                            label -> new LinkedHashSet<>())
                    .add(node);
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
