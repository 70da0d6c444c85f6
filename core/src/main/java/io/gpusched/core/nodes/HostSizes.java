package io.gpusched.core.nodes;

import io.gpusched.core.model.Resources;

import java.util.Map;
import java.util.TreeMap;

/// Counts the cores and memory of nodes, so that the least and the most of each are known without
/// reading the nodes.
final class HostSizes {
    private final TreeMap<Long, Integer> milliCpu = new TreeMap<>();
    private final TreeMap<Long, Integer> memoryMiB = new TreeMap<>();

    void add(Resources host) {
        milliCpu.merge(host.milliCpu(), 1, Integer::sum);
        memoryMiB.merge(host.memoryMiB(), 1, Integer::sum);
    }

    void remove(Resources host) {
        remove(milliCpu, host.milliCpu());
        remove(memoryMiB, host.memoryMiB());
    }

    private static void remove(Map<Long, Integer> counts, long size) {
        counts.computeIfPresent(size, (of, count) -> count == 1 ? null : count - 1);
    }

    void replace(Resources before, Resources after) {
        remove(before);
        add(after);
    }

    /// The least of each that any node has; there must be a node.
    Resources least() {
        return new Resources(milliCpu.firstKey(), memoryMiB.firstKey());
    }

    /// The most of each that any node has; there must be a node.
    Resources most() {
        return new Resources(milliCpu.lastKey(), memoryMiB.lastKey());
    }
}
