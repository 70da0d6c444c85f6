package io.gpusched.server.http;

import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.TenantRow;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// `GET /api/v1/cluster/status`: the cluster in figures.
final class ClusterHandler {
    private final Supplier<View> views;

    ClusterHandler(Supplier<View> views) {
        this.views = views;
    }

    Response status(Request request) {
        View view = views.get();
        List<NodeRow> nodes = view.nodes().all();
        long total = 0;
        long free = 0;
        long used = 0;
        var states = new TreeMap<String, Long>();
        for (NodeRow node : nodes) {
            total += node.totalGpus();
            free += node.status().open() ? node.freeGpus() : 0;
            used += Long.bitCount(node.usedGpus());
            states.merge(node.state(), 1L, Long::sum);
        }
        TenantId tenant = request.caller() instanceof Caller.Member member ? member.tenant() : null;
        return Response.ok(
                new JsonOutput()
                        .object()
                        .field("total_gpus", total)
                        .field("available_gpus", free)
                        .field("total_nodes", nodes.size())
                        .field("online_nodes", online(nodes))
                        .field("total_jobs", jobs(view, tenant))
                        .field(
                                "pending_jobs",
                                view.count(tenant, PublicState.PENDING)
                                        + view.count(tenant, PublicState.PREEMPTED))
                        .field(
                                "running_jobs",
                                view.count(tenant, PublicState.RUNNING)
                                        + view.count(tenant, PublicState.SCHEDULED))
                        .field("used_gpus", used)
                        .field("unreachable_nodes", states.getOrDefault("unreachable", 0L))
                        .field("lost_nodes", states.getOrDefault("lost", 0L))
                        .field("cordoned_nodes", states.getOrDefault("cordoned", 0L))
                        .field("draining_nodes", count(states, "draining", "drained"))
                        .field("drained_nodes", count(states, "drained"))
                        .endObject());
    }

    private static long count(Map<String, Long> states, String... some) {
        long sum = 0;
        for (String state : some) {
            sum += states.getOrDefault(state, 0L);
        }
        return sum;
    }

    private static long online(List<NodeRow> nodes) {
        return nodes.stream().filter(NodeRow::online).count();
    }

    /// The number of jobs ever submitted; for a tenant's token, by that tenant.
    private static long jobs(View view, @Nullable TenantId tenant) {
        if (tenant == null) {
            return view.everSubmitted();
        }
        TenantRow row = view.tenants().row(tenant);
        return row == null ? 0 : row.totals().jobs();
    }
}
