package io.gpusched.server.http;

import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.Shown;
import io.gpusched.server.view.View;

import java.util.List;
import java.util.function.Supplier;

/// `GET /api/v1/cluster/status`: the cluster in seven figures.
final class ClusterPage {
    private final Supplier<View> views;

    ClusterPage(Supplier<View> views) {
        this.views = views;
    }

    Reply status(Asked asked) {
        View view = views.get();
        List<NodeRow> nodes = view.nodes().all();
        long total = 0;
        long free = 0;
        long online = 0;
        for (NodeRow node : nodes) {
            total += node.totalGpus();
            free += node.freeGpus();
            online += node.online() ? 1 : 0;
        }
        return Reply.ok(
                new JsonOut()
                        .object()
                        .field("total_gpus", total)
                        .field("available_gpus", free)
                        .field("total_nodes", nodes.size())
                        .field("online_nodes", online)
                        .field("total_jobs", view.everSubmitted())
                        .field(
                                "pending_jobs",
                                view.count(null, Shown.PENDING) + view.count(null, Shown.PREEMPTED))
                        .field(
                                "running_jobs",
                                view.count(null, Shown.RUNNING) + view.count(null, Shown.SCHEDULED))
                        .endObject());
    }
}
