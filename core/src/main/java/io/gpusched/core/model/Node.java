package io.gpusched.core.model;

import java.util.List;

/// A machine as its agent described it.
///
/// @param address where other nodes of a gang reach it
public record Node(
        NodeId id,
        AgentId agent,
        String address,
        List<Gpu> gpus,
        Topology topology,
        Resources host,
        List<Taint> taints,
        Labels labels) {
    public Node {
        gpus = List.copyOf(gpus);
        taints = List.copyOf(taints);
        Check.that(
                gpus.size() <= Gpu.MOST_PER_NODE,
                "node %s has %s GPUs, at most %s are possible",
                id,
                gpus.size(),
                Gpu.MOST_PER_NODE);
        for (int i = 0; i < gpus.size(); i++) {
            Check.that(
                    gpus.get(i).index() == i,
                    "GPU %s of node %s is listed as number %s",
                    gpus.get(i).index(),
                    id,
                    i);
        }
    }

    /// All GPUs, one bit each.
    public long allGpus() {
        return gpus.size() == Gpu.MOST_PER_NODE ? -1L : (1L << gpus.size()) - 1;
    }
}
