package io.gpusched.core.model;

import java.util.List;

/// How the GPUs of one node are connected: the NUMA socket of each, and the NVLinks between each
/// pair. Both lists are empty where nothing is known, which means "all alike".
public record Topology(List<Integer> sockets, List<List<Integer>> nvlinks) {
    public static final Topology FLAT = new Topology(List.of(), List.of());

    public Topology {
        sockets = List.copyOf(sockets);
        nvlinks = nvlinks.stream().map(List::copyOf).toList();
    }
}
