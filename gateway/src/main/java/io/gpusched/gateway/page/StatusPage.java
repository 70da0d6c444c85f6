package io.gpusched.gateway.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.gateway.pool.PoolTable;
import io.gpusched.gateway.pool.ServedPool;
import io.gpusched.gateway.pool.ServedReplica;

/// `GET /status`: every pool and replica as the gateway sees it, and what is wrong with it.
public final class StatusPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PoolTable table;

    public StatusPage(PoolTable table) {
        this.table = table;
    }

    public String json(String source, boolean schedulerReachable) {
        ObjectNode page = JSON.createObjectNode();
        page.put("gateway", source).put("scheduler_reachable", schedulerReachable);
        var pools = page.putArray("pools");
        for (ServedPool pool : table.pools()) {
            ObjectNode out = pools.addObject().put("name", pool.name());
            out.put("held", pool.held()).put("in_flight", pool.inFlight());
            var replicas = out.putArray("replicas");
            for (ServedReplica replica : pool.replicas()) {
                replica(replicas.addObject(), replica);
            }
        }
        return page.toPrettyString() + "\n";
    }

    private static void replica(ObjectNode out, ServedReplica replica) {
        var address = replica.address();
        out.put("job_id", replica.jobId());
        out.put("address", address.getHostString() + ":" + address.getPort());
        out.put(
                "state",
                replica.isDraining() ? "draining" : replica.isReady() ? "ready" : "not ready");
        out.put("in_flight", replica.inFlight());
        out.put("unanswered", replica.unanswered());
        if (!replica.scrapeProblem().isEmpty()) {
            out.put("degraded", "its metrics cannot be read: " + replica.scrapeProblem());
        }
    }
}
