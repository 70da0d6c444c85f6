package io.gpusched.gateway.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.gpusched.gateway.scheduler.SchedulerClient;
import io.gpusched.gateway.scheduler.SchedulerFault;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The bindings as the scheduler knows them, and the way back for what was read.
final class SchedulerBindings {
    private static final String HIDDEN = "***";
    private static final Set<String> TYPES = Set.of("", "queue", "topic", "metric");

    /// More than a gateway reads.
    private static final int MOST = 10_000;

    private final SchedulerClient scheduler;

    SchedulerBindings(SchedulerClient scheduler) {
        this.scheduler = scheduler;
    }

    /// All bindings that are queues of a pool. Others, such as webhooks, have nothing to read.
    List<Binding> list() throws LagProblem {
        var all = new ArrayList<Binding>();
        int seen = 0;
        JsonNode page = page(0);
        while (!page.isEmpty() && seen < MOST) {
            seen += page.size();
            for (JsonNode each : page) {
                if (TYPES.contains(each.path("type").asText("")) && !pool(each).isEmpty()) {
                    all.add(binding(each));
                }
            }
            page = page(seen);
        }
        return all;
    }

    private JsonNode page(int offset) throws LagProblem {
        try {
            JsonNode bindings = scheduler.bindings(offset).path("bindings");
            if (bindings.isArray()) {
                return bindings;
            }
        } catch (SchedulerFault e) {
            throw problem(e);
        }
        throw new LagProblem("the scheduler answered without a list of bindings");
    }

    private static String pool(JsonNode binding) {
        return binding.path("pool").asText("");
    }

    private static Binding binding(JsonNode from) {
        String connection = from.path("connection").asText("");
        return new Binding(
                from.path("name").asText(""),
                pool(from),
                from.path("provider").asText(""),
                new ConnectionSecret(connection.equals(HIDDEN) ? "" : connection),
                from.path("queue").asText(""),
                from.path("group").asText(""));
    }

    /// Reports the depth of the queue.
    ///
    /// @param sequence grows with every report of the binding, also over restarts of the gateway
    /// @param overMillis the time since the report before
    void report(Binding binding, long depth, long sequence, long overMillis) throws LagProblem {
        var body = JsonNodeFactory.instance.objectNode();
        body.put("source", binding.source());
        body.put("sequence", sequence);
        body.put("over_ms", overMillis);
        body.put("queue_depth", depth);
        try {
            scheduler.report(binding.pool(), body.toString());
        } catch (SchedulerFault e) {
            throw e.status() == 404
                    ? new LagProblem(
                            "the scheduler knows no such pool; check the pool of the binding")
                    : problem(e);
        }
    }

    private static LagProblem problem(SchedulerFault fault) {
        return new LagProblem(
                switch (fault.status()) {
                    case 0 -> "the scheduler does not answer";
                    case 401, 403 ->
                            "the scheduler refused the token; start the gateway with a gateway"
                                    + " token";
                    default -> "the scheduler answered HTTP " + fault.status();
                });
    }
}
