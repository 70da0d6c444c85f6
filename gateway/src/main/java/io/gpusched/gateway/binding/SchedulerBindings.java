package io.gpusched.gateway.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.gpusched.gateway.scheduler.SchedulerClient;
import io.gpusched.gateway.scheduler.SchedulerFault;

import java.util.ArrayList;
import java.util.List;

/// The bindings as the scheduler knows them, and the way back for what was read.
final class SchedulerBindings {
    private static final String HIDDEN = "***";

    private final SchedulerClient scheduler;

    SchedulerBindings(SchedulerClient scheduler) {
        this.scheduler = scheduler;
    }

    List<Binding> list() throws LagProblem {
        JsonNode bindings;
        try {
            bindings = scheduler.bindings().path("bindings");
        } catch (SchedulerFault e) {
            throw problem(e);
        }
        if (!bindings.isArray()) {
            throw new LagProblem("the scheduler answered without a list of bindings");
        }
        var all = new ArrayList<Binding>();
        for (JsonNode each : bindings) {
            String connection = each.path("connection").asText("");
            all.add(
                    new Binding(
                            each.path("name").asText(""),
                            each.path("pool").asText(""),
                            each.path("provider").asText(""),
                            new Secret(connection.equals(HIDDEN) ? "" : connection),
                            each.path("queue").asText(""),
                            each.path("group").asText("")));
        }
        return all;
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
