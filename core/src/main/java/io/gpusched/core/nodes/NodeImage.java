package io.gpusched.core.nodes;

import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.RefusedStart;

import java.util.ArrayList;
import java.util.List;

/// A node in a snapshot: its facts, its status as operators and agents set it, the condition of its
/// GPUs, the processes of others on it, and the jobs that it refused to start.
public record NodeImage(
        Node node,
        NodeStatus status,
        List<GpuCondition> conditions,
        List<ForeignTask> foreign,
        List<RefusedStart> refusals) {
    public NodeImage {
        conditions = List.copyOf(conditions);
        foreign = List.copyOf(foreign);
        refusals = List.copyOf(refusals);
    }

    public static NodeImage of(NodeView node) {
        var conditions = new ArrayList<GpuCondition>();
        for (int gpu = 0; gpu < node.facts().gpus().size(); gpu++) {
            conditions.add(node.condition(gpu));
        }
        return new NodeImage(
                node.facts(), node.status(), conditions, node.foreign(), node.refusals());
    }
}
