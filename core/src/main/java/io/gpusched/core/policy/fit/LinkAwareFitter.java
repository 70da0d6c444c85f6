package io.gpusched.core.policy.fit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Topology;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Chooses whole GPUs that are well connected, and never a set that violates a task's requirement.
///
/// `same-socket` is a set whose members are all at one CPU socket. `nvlink` is a set in which every
/// pair has NVLinks of its own: a chain of links would still send some pairs over the host's bus,
/// which is what the user wants to avoid. Every pair must reach the requested bandwidth, over
/// NVLinks or the bus. One GPU has no pairs, so none of this limits it. A connection that a node
/// does not report counts as absent.
public final class LinkAwareFitter {
    private static final int MOST_KEPT = 1024;

    private record Need(Topology topology, Locality locality, int links) {}

    private final Map<Need, LinkedSets> wirings = new LinkedHashMap<>();

    /// The GPUs to take out of `usable`, one bit each; 0 when there is no such set.
    public long choose(Node node, long usable, GpuRequest.Whole wanted) {
        if (Long.bitCount(usable) < wanted.count()) {
            return 0;
        }
        boolean single = wanted.count() == 1;
        Locality locality = single ? Locality.ANY : wanted.locality();
        if (single || wanted.minBandwidth() == 0) {
            return choose(node, usable, wanted.count(), locality, 0);
        }
        for (long rest = usable; rest != 0; ) {
            String family = node.gpus().get(Long.numberOfTrailingZeros(rest)).model().family();
            long alike = ofFamily(node, rest, family);
            int links = GpuFamily.of(family).linksFor(wanted.minBandwidth());
            long chosen = choose(node, alike, wanted.count(), locality, links);
            if (chosen != 0) {
                return chosen;
            }
            rest &= ~alike;
        }
        return 0;
    }

    private static long ofFamily(Node node, long gpus, String family) {
        long alike = 0;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            Gpu gpu = node.gpus().get(Long.numberOfTrailingZeros(rest));
            alike |= gpu.model().family().equals(family) ? Long.lowestOneBit(rest) : 0;
        }
        return alike;
    }

    private long choose(Node node, long usable, int count, Locality locality, int links) {
        if (Long.bitCount(usable) < count) {
            return 0;
        }
        boolean free = links == 0 && (locality == Locality.ANY || locality == Locality.SAME_NODE);
        Topology topology = node.topology();
        if (topology.size() != node.gpus().size()) {
            return free ? NvidiaBestEffort.lowest(usable, count) : 0;
        }
        var need = new Need(topology, free ? Locality.ANY : locality, links);
        LinkedSets linkedSets = wirings.get(need);
        if (linkedSets == null) {
            if (wirings.size() >= MOST_KEPT) {
                wirings.clear();
            }
            linkedSets = new LinkedSets(topology, companions(need));
            wirings.put(need, linkedSets);
        }
        return linkedSets.choose(usable, count);
    }

    private static long[] companions(Need need) {
        Topology topology = need.topology;
        var companions = new long[topology.size()];
        Arrays.fill(companions, -1L);
        for (int gpu = 0; gpu < companions.length; gpu++) {
            if (need.locality == Locality.SAME_SOCKET) {
                companions[gpu] &= topology.besides(gpu);
            }
            if (need.locality == Locality.NVLINK || need.links > 0) {
                companions[gpu] &= topology.linkedTo(gpu, Math.max(1, need.links));
            }
        }
        return companions;
    }
}
