package io.gpusched.core.policy.score;

import io.gpusched.core.model.Topology;

/// How well two GPUs of a node are connected, in points: 100 for each NVLink between them, and
/// something for a common socket.
final class Pairs {
    private static final int NVLINK = 100;
    private static final int SAME_SOCKET = 20;
    private static final int OTHER_SOCKET = 10;

    private Pairs() {}

    static boolean isUnknown(Topology topology) {
        return topology.sockets().isEmpty() && topology.nvlinks().isEmpty();
    }

    static int points(Topology topology, int a, int b) {
        int links = topology.nvlinks().isEmpty() ? 0 : topology.nvlinks().get(a).get(b);
        boolean near =
                !topology.sockets().isEmpty()
                        && topology.sockets().get(a).equals(topology.sockets().get(b));
        return links * NVLINK + (near ? SAME_SOCKET : OTHER_SOCKET);
    }

    /// What a label alone promises: `nvlink` at least one link, anything else 30 % of that, nothing
    /// nothing.
    static double labelled(String value) {
        if (value.isEmpty()) {
            return 0;
        }
        return value.equals("nvlink") ? NVLINK + OTHER_SOCKET : 0.3 * (NVLINK + OTHER_SOCKET);
    }
}
