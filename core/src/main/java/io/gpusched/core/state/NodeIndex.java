package io.gpusched.core.state;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Taint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Open nodes by description and number of idle GPUs, so that best fit looks at the fullest
/// suitable nodes first and at few others.
///
///     group 0 (8 × A100-80GB, rack=r1)   idle 0: n1 n4   idle 2: n3   idle 8: n2 n5 n6 …
///     group 1 (4 × L4)                   idle 1: n7      idle 4: n8
///
/// Nodes that take no new tasks are in no bucket.
public final class NodeIndex {
    /// Everything that fixed filters may look at: nodes that agree in it get the same answers.
    private record Description(List<Gpu> gpus, Resources host, List<Taint> taints, Labels labels) {
        static Description of(Node node) {
            var gpus =
                    node.gpus().stream().map(g -> new Gpu(g.index(), g.model(), g.memoryMiB(), ""));
            return new Description(gpus.toList(), node.host(), node.taints(), node.labels());
        }
    }

    private static final class Group {
        final List<NodeEntry> members = new ArrayList<>();
        long[][] buckets = new long[Gpu.MOST_PER_NODE + 1][0];
        int most;
    }

    private final Map<Description, Integer> numbers = new LinkedHashMap<>();
    private final List<Group> groups = new ArrayList<>();
    private final List<Integer> ordinals = new ArrayList<>();
    private long version;

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

    /// The largest number of idle GPUs that any node of the group may have now.
    public int mostIdle(int group) {
        return groups.get(group).most;
    }

    /// The next node of the group with exactly `idle` idle GPUs, at or after place `from`; -1 when
    /// there is none. Places count through the members of a group.
    public int next(int group, int idle, int from) {
        long[] bucket = groups.get(group).buckets[idle];
        int word = from >> 6;
        if (word >= bucket.length) {
            return -1;
        }
        long bits = bucket[word] & (-1L << from);
        while (bits == 0) {
            if (++word == bucket.length) {
                return -1;
            }
            bits = bucket[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
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
        while (ordinals.size() <= node.index()) {
            ordinals.add(-1);
        }
        node.group = number;
        boolean last = group.members.isEmpty() || group.members.getLast().index() < node.index();
        group.members.add(node);
        ordinals.set(node.index(), group.members.size() - 1);
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
        group.buckets = new long[Gpu.MOST_PER_NODE + 1][0];
        for (int place = 0; place < group.members.size(); place++) {
            NodeEntry member = group.members.get(place);
            ordinals.set(member.index(), place);
            member.bucket = -1;
            update(member);
        }
    }

    /// Moves the node to the bucket for what it has idle now.
    void update(NodeEntry node) {
        if (node.group < 0) {
            return;
        }
        int bucket = node.status().open() ? Long.bitCount(node.idleGpus()) : -1;
        if (bucket == node.bucket) {
            return;
        }
        Group group = groups.get(node.group);
        int place = ordinals.get(node.index());
        if (node.bucket >= 0) {
            group.buckets[node.bucket][place >> 6] &= ~(1L << place);
        }
        if (bucket >= 0) {
            if (group.buckets[bucket].length <= place >> 6) {
                group.buckets[bucket] =
                        Arrays.copyOf(group.buckets[bucket], (group.members.size() >> 6) + 1);
            }
            group.buckets[bucket][place >> 6] |= 1L << place;
            group.most = Math.max(group.most, bucket);
        }
        node.bucket = bucket;
    }

    void remove(NodeEntry node) {
        version++;
        if (node.group >= 0) {
            Group group = groups.get(node.group);
            group.members.remove(node);
            node.group = -1;
            node.bucket = -1;
            sort(group);
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
