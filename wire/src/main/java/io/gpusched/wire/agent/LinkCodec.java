package io.gpusched.wire.agent;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.KnownTopologies;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Link;
import io.gpusched.core.model.Topology;
import io.gpusched.wire.codec.Interner;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuLink;
import io.gpusched.wire.proto.agent.NodeFacts;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// Converts the GPU topology of a node. If a node reports none, its label decides, if it has one
/// (see [KnownTopologies]).
public final class LinkCodec {
    /// Topologies are interned, because most nodes have the same one.
    private static final Interner<Topology, Topology> TOPOLOGIES = Interner.ofEqual(256);

    private LinkCodec() {}

    /// Writes the topology into the facts of a node, whose GPUs must already be there.
    public static void write(Topology topology, NodeFacts.Builder facts) {
        for (int a = 0; a < topology.size(); a++) {
            if (topology.socket(a) >= 0) {
                facts.getGpusBuilder(a).setSocket(topology.socket(a));
            }
            for (int b = a + 1; b < topology.size(); b++) {
                if (topology.nvlinks(a, b) > 0) {
                    facts.addLinksBuilder()
                            .setFirst(a)
                            .setSecond(b)
                            .setKind(GpuLink.Kind.NVLINK)
                            .setLanes(topology.nvlinks(a, b));
                }
                if (topology.link(a, b) != Link.UNKNOWN) {
                    facts.addLinksBuilder()
                            .setFirst(a)
                            .setSecond(b)
                            .setKind(kind(topology.link(a, b)));
                }
            }
        }
    }

    static Topology read(NodeFacts facts, List<Gpu> gpus) {
        int count = gpus.size();
        boolean reported = facts.getLinksCount() > 0;
        var sockets = new ArrayList<Integer>(count);
        for (GpuFacts gpu : facts.getGpusList()) {
            reported |= gpu.hasSocket();
            sockets.add(gpu.hasSocket() ? gpu.getSocket() : Topology.UNKNOWN_SOCKET);
            if (gpu.hasSocket() && gpu.getSocket() < 0) {
                throw invalid("sockets numbered from 0", "socket " + gpu.getSocket());
            }
        }
        if (!reported) {
            return KnownTopologies.labelled(gpus, new Labels(new TreeMap<>(facts.getLabelsMap())));
        }
        List<List<Integer>> lanes = square(count, 0);
        List<List<Link>> links = square(count, Link.UNKNOWN);
        for (GpuLink link : facts.getLinksList()) {
            int first = link.getFirst();
            int second = link.getSecond();
            if (first < 0 || first >= count || second < 0 || second >= count || first == second) {
                throw invalid("links between two GPUs of the node", first + " to " + second);
            }
            if (link.getKind() == GpuLink.Kind.NVLINK) {
                int most = Math.min(Topology.MOST_NVLINKS, Math.max(1, link.getLanes()));
                lanes.get(first).set(second, most);
                lanes.get(second).set(first, most);
            } else {
                links.get(first).set(second, link(link.getKind()));
                links.get(second).set(first, link(link.getKind()));
            }
        }
        return TOPOLOGIES.of(Topology.of(sockets, lanes, links));
    }

    private static <T> List<List<T>> square(int size, T filler) {
        var rows = new ArrayList<List<T>>(size);
        for (int row = 0; row < size; row++) {
            rows.add(new ArrayList<>(Collections.nCopies(size, filler)));
        }
        return rows;
    }

    private static GpuLink.Kind kind(Link link) {
        return switch (link) {
            case UNKNOWN -> GpuLink.Kind.UNKNOWN;
            case SYS -> GpuLink.Kind.CROSS_SOCKET;
            case NODE -> GpuLink.Kind.SAME_SOCKET;
            case PHB -> GpuLink.Kind.HOST_BRIDGE;
            case PXB -> GpuLink.Kind.PCIE_SWITCHES;
            case PIX -> GpuLink.Kind.PCIE_SWITCH;
            case BOARD -> GpuLink.Kind.SAME_BOARD;
        };
    }

    private static Link link(GpuLink.Kind kind) {
        return switch (kind) {
            case CROSS_SOCKET -> Link.SYS;
            case SAME_SOCKET -> Link.NODE;
            case HOST_BRIDGE -> Link.PHB;
            case PCIE_SWITCHES -> Link.PXB;
            case PCIE_SWITCH -> Link.PIX;
            case SAME_BOARD -> Link.BOARD;
            case NVLINK, UNKNOWN, UNRECOGNIZED -> Link.UNKNOWN;
        };
    }

    private static IllegalArgumentException invalid(String expected, String found) {
        return new IllegalArgumentException("expected " + expected + ", found " + found);
    }
}
