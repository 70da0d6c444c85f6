package io.gpusched.server.grpc;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.View;
import io.gpusched.wire.proto.scheduler.GetClusterStatusResponse;
import io.gpusched.wire.proto.scheduler.GetMetricsResponse;
import io.gpusched.wire.proto.scheduler.NodeStatus;

import org.jspecify.annotations.Nullable;

/// Converts the cluster status and metrics to gRPC messages.
final class ClusterMessages {
    private ClusterMessages() {}

    /// @param tenant whose jobs count; null for all tenants
    static GetClusterStatusResponse status(View view, @Nullable TenantId tenant) {
        var message = GetClusterStatusResponse.newBuilder();
        int total = 0;
        int free = 0;
        int used = 0;
        int online = 0;
        for (NodeRow row : view.nodes().all()) {
            total += row.totalGpus();
            free += row.freeGpus();
            used += Long.bitCount(row.usedGpus());
            online += row.online() ? 1 : 0;
            message.addNodes(node(row));
        }
        return message.setTotalGpus(total)
                .setAvailableGpus(free)
                .setTotalNodes(message.getNodesCount())
                .setOnlineNodes(online)
                .setTotalJobs(view.count(tenant, null))
                .setPendingJobs(
                        view.count(tenant, PublicState.PENDING)
                                + view.count(tenant, PublicState.PREEMPTED))
                .setRunningJobs(
                        view.count(tenant, PublicState.RUNNING)
                                + view.count(tenant, PublicState.SCHEDULED))
                .setAvgGpuUtilization(total == 0 ? 0 : used / (double) total)
                .build();
    }

    private static NodeStatus node(NodeRow row) {
        return NodeStatus.newBuilder()
                .setId(row.facts().id().name())
                .setOnline(row.online())
                .setSchedulable(row.status().open())
                .setTotalGpus(row.totalGpus())
                .setAvailableGpus(row.freeGpus())
                .setTotalCpuCores((int) (row.facts().host().milliCpu() / 1000))
                .setTotalMemoryMb(row.facts().host().memoryMiB())
                .setGpuUtilization(
                        row.totalGpus() == 0
                                ? 0
                                : Long.bitCount(row.usedGpus()) / (double) row.totalGpus())
                .putAllLabels(row.facts().labels().entries())
                .setReason(row.state())
                .build();
    }

    /// Reads the Prometheus text, in which each line is a name with labels, a blank and a number.
    static GetMetricsResponse metrics(String text) {
        var message = GetMetricsResponse.newBuilder();
        text.lines()
                .filter(line -> !line.startsWith("#") && line.lastIndexOf(' ') > 0)
                .forEach(
                        line -> {
                            int blank = line.lastIndexOf(' ');
                            message.putValues(
                                    line.substring(0, blank), figure(line.substring(blank + 1)));
                        });
        return message.build();
    }

    private static double figure(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
