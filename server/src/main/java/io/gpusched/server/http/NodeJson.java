package io.gpusched.server.http;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Resources;
import io.gpusched.server.agents.AgentPresence;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Writes a node and its GPUs as JSON.
final class NodeJson {
    private final JsonOutput out;
    private final LatestReadings latestReadings;
    private final AgentPresence agentPresence;
    private final Predicate<JobId> visible;
    private final UnaryOperator<String> readable;
    private boolean connections;

    /// @param visible which jobs the caller may see
    /// @param readable makes a text readable for the caller
    NodeJson(
            JsonOutput out,
            LatestReadings latestReadings,
            AgentPresence agentPresence,
            Predicate<JobId> visible,
            UnaryOperator<String> readable) {
        this.out = out;
        this.latestReadings = latestReadings;
        this.agentPresence = agentPresence;
        this.visible = visible;
        this.readable = readable;
    }

    /// Writes how each GPU is connected to each other one too.
    NodeJson withConnections() {
        connections = true;
        return this;
    }

    void write(NodeRow row) {
        String name = row.facts().id().name();
        String host = row.facts().labels().value("hostname");
        out.object().field("id", name).field("name", name);
        out.field("hostname", host.isEmpty() ? name : host);
        out.field("ip_address", row.facts().address()).field("agent", row.facts().agent().name());
        out.field("state", row.state()).field("online", row.online());
        out.field("schedulable", row.status().open());
        out.field("draining_mode", row.status().draining());
        closure(row.status());
        out.field("refused_starts", row.refusals().size());
        contact(row);
        capacity(row);
        out.field("labels", row.facts().labels().entries());
        out.name("taints").array();
        row.facts()
                .taints()
                .forEach(
                        taint ->
                                out.object()
                                        .field("key", taint.key())
                                        .field("value", taint.value())
                                        .field("effect", taint.effect())
                                        .endObject());
        out.endArray();
        out.name("jobs").array();
        row.holders().stream()
                .map(NodeRow.Held::job)
                .filter(visible)
                .forEach(job -> out.value(job.toString()));
        out.endArray();
        out.name("gpus").array();
        var links = new GpuLinks(row.facts().topology());
        row.facts().gpus().forEach(gpu -> gpu(row, gpu, links));
        out.endArray().endObject();
    }

    private void closure(NodeStatus status) {
        NodeClosure nodeClosure = status.nodeClosure();
        out.field("closed_by", nodeClosure.isAutomatic() ? "scheduler" : nodeClosure.by());
        out.field("closed_reason", readable.apply(nodeClosure.why()));
        out.field("cordoned_by_scheduler", status.cordonedByScheduler());
        out.field("drain_deadline", nodeClosure.stopAt());
    }

    /// The contact with the agent, which is known before the node's state changes: the state
    /// follows only after a longer silence.
    private void contact(NodeRow row) {
        AgentPresence.Contact contact = agentPresence.contact(row.facts().id());
        out.field("agent_connected", contact != null && contact.connected());
        out.field("agent_last_seen", contact == null ? null : contact.heardAt());
        out.field("last_heartbeat", contact == null ? null : contact.heardAt());
        if (contact == null) {
            out.empty("agent_silent_seconds");
        } else {
            out.field("agent_silent_seconds", contact.silence().toSeconds());
        }
    }

    private void capacity(NodeRow row) {
        Resources all = row.facts().host();
        out.field(
                "gpu_model",
                row.facts().gpus().isEmpty()
                        ? ""
                        : row.facts().gpus().getFirst().model().toString());
        out.field("total_gpus", row.totalGpus()).field("available_gpus", row.freeGpus());
        out.field("total_cpu_cores", all.milliCpu() / 1000.0);
        out.field("available_cpu_cores", (all.milliCpu() - row.used().milliCpu()) / 1000.0);
        out.field("total_memory_mb", all.memoryMiB());
        out.field("available_memory_mb", all.memoryMiB() - row.used().memoryMiB());
    }

    private void gpu(NodeRow row, Gpu gpu, GpuLinks links) {
        JobId holder = row.holder(gpu.index());
        GpuCondition condition = row.conditions().get(gpu.index());
        LatestReadings.Gpu reading = latestReadings.gpu(row.facts().id(), gpu.index());
        out.object().field("id", row.facts().id().name() + ":" + gpu.index());
        out.field("node_id", row.facts().id().name());
        out.field("index", gpu.index()).field("uuid", gpu.uuid());
        out.field("model", gpu.model().toString()).field("memory_total_mb", gpu.memoryMiB());
        out.field("allocated", holder != null);
        out.field("job_id", holder == null || !visible.test(holder) ? null : holder.toString());
        holders(row, gpu.index());
        out.field("health", health(condition));
        out.field("reason", readable.apply(condition.reason()));
        out.field("thermal_throttle", condition.heat() == Heat.HOT);
        out.field("temperature", reading.temperature());
        out.field("utilization", reading.utilization());
        boolean told = reading.memoryUsedMiB() >= 0;
        out.field("memory_used_mb", told ? reading.memoryUsedMiB() : Double.NaN);
        out.field(
                "memory_free_mb",
                told ? Math.max(0, gpu.memoryMiB() - reading.memoryUsedMiB()) : Double.NaN);
        out.field("power_usage", reading.powerWatts());
        links.write(gpu.index(), out);
        if (connections) {
            links.writeConnections(gpu.index(), out);
        }
        out.endObject();
    }

    /// Every job that holds the GPU or parts of it; jobs that the caller may not see have no name.
    private void holders(NodeRow row, int gpu) {
        out.name("holders").array();
        for (NodeRow.Held held : row.holders()) {
            if ((held.gpus() >>> gpu & 1) == 1) {
                out.object()
                        .field("job_id", visible.test(held.job()) ? held.job().toString() : null);
                List<String> parts = held.parts().getOrDefault(gpu, List.of());
                out.field("part", String.join(" ", parts)).endObject();
            }
        }
        out.endArray();
    }

    static String health(GpuCondition condition) {
        if (!condition.fit()) {
            return "unhealthy";
        }
        return switch (condition.heat()) {
            case COOL -> "healthy";
            case WARM -> "warning";
            case HOT -> "degraded";
        };
    }
}
