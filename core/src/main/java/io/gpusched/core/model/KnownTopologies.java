package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Usual GPU topologies of servers, for nodes that cannot report one: fake nodes, and nodes that
/// carry only a label.
public final class KnownTopologies {
    /// `nvlink`: all GPUs are joined by NVLink; `pcie`: none are.
    public static final String LABEL = "neuronetes.io/gpu-topology";

    private static final List<String> NVLINK = List.of("nvlink", "nvswitch");
    private static final String PCIE = "pcie";

    /// The eight GPUs of a DGX-1: two fully meshed fours, and a link from each to its twin.
    private static final int[][] CUBE_V100 = {
        {0, 1, 1, 2, 2, 0, 0, 0},
        {1, 0, 2, 1, 0, 2, 0, 0},
        {1, 2, 0, 2, 0, 0, 1, 0},
        {2, 1, 2, 0, 0, 0, 0, 1},
        {2, 0, 0, 0, 0, 1, 1, 2},
        {0, 2, 0, 0, 1, 0, 2, 1},
        {0, 0, 1, 0, 1, 2, 0, 2},
        {0, 0, 0, 1, 2, 1, 2, 0},
    };

    private KnownTopologies() {}

    /// The topology that the label describes, for a node that reports none; [Topology#FLAT] without
    /// the label.
    public static Topology labelled(List<Gpu> gpus, Labels labels) {
        String value = labels.value(LABEL).toLowerCase(Locale.ROOT);
        if (NVLINK.contains(value)) {
            return meshed(gpus, false);
        }
        return value.equals(PCIE) && !gpus.isEmpty()
                ? wired(gpus, (a, b) -> 0, false)
                : Topology.FLAT;
    }

    /// Whether [#labelled] understands the label.
    public static boolean understands(Labels labels) {
        String value = labels.value(LABEL).toLowerCase(Locale.ROOT);
        return value.isEmpty() || value.equals(PCIE) || NVLINK.contains(value);
    }

    /// The usual server with these GPUs: two sockets, and the NVLinks of its family.
    public static Topology usual(List<Gpu> gpus) {
        if (gpus.size() < 2) {
            return Topology.FLAT;
        }
        boolean alike = gpus.stream().map(gpu -> gpu.model().family()).distinct().count() == 1;
        String family = gpus.getFirst().model().family();
        boolean cube = gpus.size() == 8 && (family.equals("V100") || family.equals("P100"));
        if (alike && cube) {
            int most = family.equals("V100") ? 2 : 1;
            return wired(gpus, (a, b) -> Math.min(most, CUBE_V100[a][b]), true);
        }
        boolean boards =
                List.of("A100", "A800", "H100", "H200", "H20", "H800", "B200", "B300")
                        .contains(family);
        boolean switched = gpus.size() == 16 && family.equals("V100");
        return alike && (boards || switched) ? meshed(gpus, true) : wired(gpus, (a, b) -> 0, true);
    }

    /// Every pair has all the links of a GPU, through switches; four GPUs without switches divide
    /// their links among the others.
    private static Topology meshed(List<Gpu> gpus, boolean sockets) {
        if (gpus.size() < 2) {
            return Topology.FLAT;
        }
        return wired(
                gpus,
                (a, b) -> {
                    GpuFamily family = GpuFamily.of(gpus.get(a).model().family());
                    int links = Math.max(1, family.nvlinks());
                    return gpus.size() == 4 ? Math.max(1, links / 3) : links;
                },
                sockets);
    }

    private interface Count {
        int between(int a, int b);
    }

    private static Topology wired(List<Gpu> gpus, Count count, boolean sockets) {
        int size = gpus.size();
        var rows = new ArrayList<List<Integer>>(size);
        var at = new ArrayList<Integer>(size);
        for (int a = 0; a < size; a++) {
            var row = new ArrayList<>(Collections.nCopies(size, 0));
            for (int b = 0; b < size; b++) {
                // From the lower to the higher, so that mixed GPUs agree.
                row.set(b, a == b ? 0 : count.between(Math.min(a, b), Math.max(a, b)));
            }
            rows.add(row);
            at.add(a * 2 / size);
        }
        return Topology.of(sockets ? at : List.of(), rows, List.of());
    }
}
