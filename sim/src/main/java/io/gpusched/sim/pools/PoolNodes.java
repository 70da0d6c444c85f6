package io.gpusched.sim.pools;

import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;

import java.util.ArrayList;
import java.util.List;

/// Nodes for the replicas of a pool.
public final class PoolNodes {
    static final AgentId AGENT = new AgentId("lab");

    private static final int GPUS = 8;
    private static final int CORES = 64;
    private static final long MEMORY_MIB = 1L << 20;

    private PoolNodes() {}

    /// Nodes of eight H100, enough for so many replicas of that many GPUs.
    public static List<Node> of(int replicas, int gpus) {
        var nodes = new ArrayList<Node>();
        for (int i = 1; i <= Math.ceilDiv(replicas * gpus, GPUS); i++) {
            nodes.add(node("n" + i, GPUS, Labels.NONE));
        }
        return nodes;
    }

    /// So many nodes of one GPU, for one replica each.
    public static List<Node> single(int replicas, Labels labels) {
        var nodes = new ArrayList<Node>();
        for (int i = 1; i <= replicas; i++) {
            nodes.add(node("n" + i, 1, labels));
        }
        return nodes;
    }

    private static Node node(String name, int count, Labels labels) {
        GpuModel model = GpuModel.parse("H100");
        var gpus = new ArrayList<Gpu>();
        for (int i = 0; i < count; i++) {
            gpus.add(new Gpu(i, model, model.memoryMiB(), name + "-" + i));
        }
        return new Node(
                new NodeId(name),
                AGENT,
                "",
                gpus,
                Topology.FLAT,
                Resources.cores(CORES, MEMORY_MIB),
                List.of(),
                labels);
    }
}
