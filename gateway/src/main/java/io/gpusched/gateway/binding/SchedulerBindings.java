package io.gpusched.gateway.binding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The bindings as the scheduler knows them, and the way back for what was read.
final class SchedulerBindings implements AutoCloseable {
    private static final String HIDDEN = "***";

    private final JsonOverHttp http = new JsonOverHttp();
    private final URI scheduler;
    private final Supplier<String> token;

    /// @param scheduler such as `http://scheduler.example:8080`
    /// @param token of the gateway, asked for at every request; empty where none is needed
    SchedulerBindings(URI scheduler, Supplier<String> token) {
        this.scheduler = scheduler;
        this.token = token;
    }

    List<Binding> list() throws LagProblem, InterruptedException {
        JsonOverHttp.Answer answer = send(request("/api/v1/bindings?secrets=true").build());
        JsonNode bindings = answer.body().path("bindings");
        if (!answer.isGood() || !bindings.isArray()) {
            throw refused(answer.status());
        }
        var all = new ArrayList<Binding>();
        for (JsonNode each : bindings) {
            String connection = each.path("connection").asText();
            all.add(
                    new Binding(
                            each.path("name").asText(),
                            each.path("pool").asText(),
                            each.path("provider").asText(),
                            new Secret(connection.equals(HIDDEN) ? "" : connection),
                            each.path("queue").asText(),
                            each.path("group").asText("")));
        }
        return all;
    }

    /// Reports the depth of the queue.
    ///
    /// @param sequence grows with every report of the binding, also over restarts of the gateway
    /// @param overMillis the time since the report before
    void report(Binding binding, long depth, long sequence, long overMillis)
            throws LagProblem, InterruptedException {
        var body = JsonNodeFactory.instance.objectNode();
        body.put("source", binding.source());
        body.put("sequence", sequence);
        body.put("over_ms", overMillis);
        body.put("queue_depth", depth);
        String pool = URLEncoder.encode(binding.pool(), StandardCharsets.UTF_8).replace("+", "%20");
        HttpRequest request =
                request("/api/v1/pools/" + pool + "/load")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                        .build();
        JsonOverHttp.Answer answer = send(request);
        if (answer.status() == 404) {
            throw new LagProblem("the scheduler knows no such pool; check the pool of the binding");
        }
        if (!answer.isGood()) {
            throw refused(answer.status());
        }
    }

    private JsonOverHttp.Answer send(HttpRequest request) throws LagProblem, InterruptedException {
        try {
            return http.send(request);
        } catch (LagProblem e) {
            throw new LagProblem("the scheduler cannot be asked: " + e.getMessage());
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = JsonOverHttp.request(scheduler.resolve(path));
        String word = token.get();
        return word.isEmpty() ? request : request.header("Authorization", "Bearer " + word);
    }

    private static LagProblem refused(int status) {
        return status == 401 || status == 403
                ? new LagProblem(
                        "the scheduler refused the token; start the gateway with a gateway token")
                : new LagProblem("the scheduler answered HTTP " + status + " or no list");
    }

    @Override
    public void close() {
        http.close();
    }
}
