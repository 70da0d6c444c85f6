package io.gpusched.server.http;

import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;

import java.util.Locale;

/// How the GPUs of one node are connected, as a drawing of the node needs it.
final class GpuLinks {
    /// A GPU in no island.
    private static final int ALONE = -1;

    private final Topology topology;
    private final int[] islands;

    GpuLinks(Topology topology) {
        this.topology = topology;
        this.islands = islands(topology);
    }

    /// Numbers the groups of GPUs that NVLinks join, directly or through each other.
    private static int[] islands(Topology topology) {
        var islands = new int[topology.size()];
        int next = 0;
        for (int gpu = 0; gpu < islands.length; gpu++) {
            islands[gpu] = ALONE;
        }
        for (int gpu = 0; gpu < islands.length; gpu++) {
            if (islands[gpu] == ALONE && topology.linkedTo(gpu, 1) != 0) {
                mark(topology, gpu, next++, islands);
            }
        }
        return islands;
    }

    private static void mark(Topology topology, int first, int island, int[] islands) {
        long open = 1L << first;
        while (open != 0) {
            int gpu = Long.numberOfTrailingZeros(open);
            open &= open - 1;
            islands[gpu] = island;
            for (long rest = topology.linkedTo(gpu, 1); rest != 0; rest &= rest - 1) {
                int other = Long.numberOfTrailingZeros(rest);
                open |= islands[other] == ALONE ? 1L << other : 0;
            }
        }
    }

    /// Writes the socket and the island of the GPU; null where it has none or it is unknown.
    void write(int gpu, JsonOutput out) {
        boolean known = gpu < topology.size();
        number("numa", known ? topology.socket(gpu) : Topology.UNKNOWN_SOCKET, out);
        number("nvlink", known ? islands[gpu] : ALONE, out);
    }

    /// Writes the connections of the GPU to every GPU of the node, in their order: the number of
    /// NVLinks, and the path on the host's bus as `nvidia-smi topo -m` names it.
    /// Nothing where the topology is unknown.
    void writeConnections(int gpu, JsonOutput out) {
        int size = topology.size();
        if (gpu >= size) {
            return;
        }
        out.name("nvlinks").array();
        for (int other = 0; other < size; other++) {
            out.value((long) (other == gpu ? 0 : topology.nvlinks(gpu, other)));
        }
        out.endArray().name("paths").array();
        for (int other = 0; other < size; other++) {
            out.value(other == gpu ? "" : path(topology.link(gpu, other)));
        }
        out.endArray();
    }

    private static String path(Link link) {
        return link == Link.UNKNOWN ? "" : link.name().toLowerCase(Locale.ROOT);
    }

    private static void number(String name, int number, JsonOutput out) {
        if (number < 0) {
            out.empty(name);
        } else {
            out.field(name, number);
        }
    }
}
