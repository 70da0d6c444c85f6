package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Asks the scheduler over REST. An administrator's token is needed where the scheduler asks for
/// tokens: pools of all tenants are put, and models are shared.
public final class RestPoolServer implements PoolServer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int NO_CONTENT = 304;

    private final HttpClient http;
    private final URI scheduler;
    private final Supplier<String> token;
    private String poolsTag = "";

    /// @param token read for every request, so that a new one is used at once; empty for none
    public RestPoolServer(HttpClient http, URI scheduler, Supplier<String> token) {
        this.http = http;
        this.scheduler = scheduler;
        this.token = token;
    }

    @Override
    public List<String> apply(ObjectNode manifest, boolean dryRun) {
        String path = "/api/v1/apply" + (dryRun ? "?dry_run=true" : "");
        JsonNode answer = read(send("POST", path, manifest.toString(), Map.of()));
        var warnings = new ArrayList<String>();
        answer.path("warnings").forEach(each -> warnings.add(each.asText()));
        return warnings;
    }

    @Override
    public void remove(PoolKind kind, String name) {
        String path =
                switch (kind) {
                    case AGENT_POOL -> "/api/v1/pools/" + segment(name);
                    case AGENT_CLASS -> "/api/v1/classes/" + segment(name) + "?force=true";
                    case MODEL -> "/api/v1/models/" + segment(name) + "?force=true";
                    case TOOL_BINDING -> "/api/v1/bindings/" + segment(name);
                };
        read(send("DELETE", path, "", Map.of()));
    }

    @Override
    public void hold(String pool, @Nullable Integer replicas, String reason) {
        ObjectNode body = JSON.createObjectNode();
        body.put("replicas", replicas).put("reason", reason);
        String path = "/api/v1/pools/" + segment(pool) + "/scale";
        read(send("POST", path, body.toString(), Map.of()));
    }

    @Override
    public @Nullable List<JsonNode> pools() {
        Map<String, String> known =
                poolsTag.isEmpty() ? Map.of() : Map.of("If-None-Match", poolsTag);
        HttpResponse<byte[]> answer = send("GET", "/api/v1/pools", "", known);
        if (answer.statusCode() == NO_CONTENT) {
            return null;
        }
        List<JsonNode> pools = items(read(answer).path("pools"));
        poolsTag = answer.headers().firstValue("ETag").orElse("");
        return pools;
    }

    @Override
    public List<JsonNode> models() {
        return items(read(send("GET", "/api/v1/models", "", Map.of())).path("models"));
    }

    private static List<JsonNode> items(JsonNode list) {
        var all = new ArrayList<JsonNode>();
        list.forEach(all::add);
        return all;
    }

    private HttpResponse<byte[]> send(
            String method, String path, String body, Map<String, String> headers) {
        var request =
                HttpRequest.newBuilder(scheduler.resolve(path))
                        .timeout(PATIENCE)
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .header("Content-Type", "application/json");
        headers.forEach(request::header);
        String secret = token.get();
        if (!secret.isEmpty()) {
            request.header("Authorization", "Bearer " + secret);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new ServerFault(
                    0,
                    "",
                    "no answer from the scheduler at " + scheduler + ": " + e,
                    "the operator tries again by itself");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerFault(0, "", "interrupted", "");
        }
    }

    private static JsonNode read(HttpResponse<byte[]> answer) {
        JsonNode body;
        try {
            body = JSON.readTree(answer.body());
        } catch (IOException e) {
            String text = new String(answer.body(), StandardCharsets.UTF_8);
            body =
                    JSON.createObjectNode()
                            .put("error", text.substring(0, Math.min(300, text.length())));
        }
        if (answer.statusCode() / 100 == 2) {
            return body;
        }
        throw new ServerFault(
                answer.statusCode(),
                body.path("field").asText(""),
                body.path("error").asText("status " + answer.statusCode()),
                body.path("hint").asText(""));
    }

    private static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
