package io.gpusched.store;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.wire.codec.ImageCodec;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/// The rows of a node and its GPUs: columns for people, and the encoded node in the last column.
final class NodeColumns {
    static final String[] NAMES = {
        "id",
        "name",
        "agent_id",
        "ip_address",
        "hostname",
        "total_gp_us",
        "available_gp_us",
        "total_cpu_cores",
        "available_cpu_cores",
        "total_memory_mb",
        "available_memory_mb",
        "online",
        "schedulable",
        "draining_mode",
        "labels",
        "taints",
        "created_at",
        "updated_at",
        "body"
    };

    static final String[] GPU_NAMES = {
        "id",
        "node_id",
        "\"index\"",
        "uuid",
        "model",
        "memory_total_mb",
        "allocated",
        "job_id",
        "tenant_id",
        "heat",
        "health",
        "last_error",
        "updated_at"
    };

    private NodeColumns() {}

    static @Nullable Object[] of(NodeTableRow row, ImageCodec codec) {
        Node node = row.node;
        return new @Nullable Object[] {
            node.id().name(),
            node.id().name(),
            node.agent().name(),
            node.address(),
            node.id().name(),
            node.gpus().size(),
            row.freeGpus(),
            JobColumns.thousandths(node.host().milliCpu()),
            JobColumns.thousandths(row.freeHost().milliCpu()),
            node.host().memoryMiB(),
            row.freeHost().memoryMiB(),
            row.status.reach() == NodeStatus.Reach.UP,
            row.status.open(),
            row.status.draining(),
            JsonText.map(node.labels().entries()),
            JsonText.list(
                    node.taints().stream()
                            .map(t -> t.key() + "=" + t.value() + ":" + t.effect())
                            .toList()),
            row.created,
            row.updated,
            codec.encode(row.image())
        };
    }

    static @Nullable Object[] of(Gpu gpu, NodeTableRow row) {
        GpuCondition condition = row.conditions[gpu.index()];
        Job holder = row.holders[gpu.index()];
        return new @Nullable Object[] {
            row.node.id() + ":" + gpu.index(),
            row.node.id().name(),
            gpu.index(),
            gpu.uuid(),
            gpu.model().toString(),
            (long) gpu.memoryMiB(),
            holder != null,
            holder == null ? null : holder.id().toString(),
            holder == null ? null : holder.tenant().name(),
            condition.heat().name().toLowerCase(Locale.ROOT),
            condition.fit() ? "healthy" : "unhealthy",
            condition.reason(),
            row.updated
        };
    }
}
