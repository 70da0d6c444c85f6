package io.gpusched.server.view;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The largest amount of each resource that any node has, and all GPU models of the cluster.
///
/// @param nodes number of nodes
public record LargestNode(
        int nodes, int gpus, long milliCpu, long memoryMiB, Set<GpuModel> models) {
    static final LargestNode NONE = new LargestNode(0, 0, 0, 0, Set.of());

    public LargestNode {
        models = Set.copyOf(models);
    }

    static LargestNode of(List<NodeRow> nodes) {
        int gpus = 0;
        long milliCpu = 0;
        long memoryMiB = 0;
        var models = new LinkedHashSet<GpuModel>();
        for (NodeRow node : nodes) {
            gpus = Math.max(gpus, node.totalGpus());
            milliCpu = Math.max(milliCpu, node.facts().host().milliCpu());
            memoryMiB = Math.max(memoryMiB, node.facts().host().memoryMiB());
            for (Gpu gpu : node.facts().gpus()) {
                models.add(gpu.model());
            }
        }
        return new LargestNode(nodes.size(), gpus, milliCpu, memoryMiB, models);
    }
}
