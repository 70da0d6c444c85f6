package io.gpusched.store;

import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeImage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The state of a node while the tables are updated.
final class NodeTableRow {
    final Instant created;
    Instant updated;
    Node node;
    NodeStatus status;
    List<ForeignTask> foreign = List.of();
    Resources used = Resources.NONE;
    final GpuCondition[] conditions = new GpuCondition[Gpu.MOST_PER_NODE];

    /// The job on each GPU; null for a free GPU.
    final @Nullable Job[] holders = new @Nullable Job[Gpu.MOST_PER_NODE];

    NodeTableRow(Node node, NodeStatus status, Instant created, Instant updated) {
        this.node = node;
        this.status = status;
        this.created = created;
        this.updated = updated;
        Arrays.fill(conditions, GpuCondition.GOOD);
    }

    static NodeTableRow of(NodeImage image, Instant created, Instant updated) {
        var row = new NodeTableRow(image.node(), image.status(), created, updated);
        for (int i = 0; i < image.conditions().size(); i++) {
            row.conditions[i] = image.conditions().get(i);
        }
        row.foreign = image.foreign();
        return row;
    }

    NodeImage image() {
        var all = new ArrayList<GpuCondition>();
        for (int i = 0; i < node.gpus().size(); i++) {
            all.add(conditions[i]);
        }
        return new NodeImage(node, status, all, foreign, List.of());
    }

    void take(Slot slot, Job job) {
        used = used.plus(slot.host());
        hold(slot, job);
    }

    void release(Slot slot) {
        used =
                new Resources(
                        used.milliCpu() - slot.host().milliCpu(),
                        used.memoryMiB() - slot.host().memoryMiB());
        hold(slot, null);
    }

    private void hold(Slot slot, @Nullable Job job) {
        for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
            holders[Long.numberOfTrailingZeros(rest)] = job;
        }
    }

    /// GPUs that are free and healthy.
    int freeGpus() {
        long held = 0;
        for (ForeignTask one : foreign) {
            held |= one.slot().grant().mask();
        }
        int free = 0;
        for (int i = 0; i < node.gpus().size(); i++) {
            boolean usable = conditions[i].fit() && (held >>> i & 1) == 0;
            free += holders[i] == null && usable ? 1 : 0;
        }
        return free;
    }

    Resources freeHost() {
        Resources held = used;
        for (ForeignTask one : foreign) {
            held = held.plus(one.slot().host());
        }
        return new Resources(
                Math.max(0, node.host().milliCpu() - held.milliCpu()),
                Math.max(0, node.host().memoryMiB() - held.memoryMiB()));
    }
}
