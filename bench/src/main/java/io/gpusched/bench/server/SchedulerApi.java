package io.gpusched.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// The REST calls that benches make.
final class SchedulerApi {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI uri;

    SchedulerApi(URI uri) {
        this.uri = uri;
    }

    /// How many jobs the scheduler knows, ended ones included.
    long jobs() throws IOException {
        return ask("/api/v1/jobs?limit=1").path("total").asLong(-1);
    }

    /// How many of them wait.
    long waitingJobs() throws IOException {
        return ask("/api/v1/cluster/status").path("pending_jobs").asLong(-1);
    }

    /// How many choices of GPUs it has counted.
    long choices() throws IOException {
        return ask("/api/v1/model").path("decisions").path("total").asLong(-1);
    }

    void createTenant(String id) throws IOException {
        post("/api/v1/tenants", "{\"id\":\"%s\",\"name\":\"%s\"}".formatted(id, id));
    }

    /// A new token of the tenant.
    String createToken(String tenant) throws IOException {
        return post("/api/v1/tenants/" + tenant + "/tokens", "").path("token").asText();
    }

    private JsonNode post(String path, String body) throws IOException {
        var connection = (HttpURLConnection) uri.resolve(path).toURL().openConnection();
        connection.setReadTimeout(30_000);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        try (InputStream answer = connection.getInputStream()) {
            return JSON.readTree(answer);
        }
    }

    private JsonNode ask(String path) throws IOException {
        var connection = (HttpURLConnection) uri.resolve(path).toURL().openConnection();
        connection.setReadTimeout(30_000);
        try (InputStream body = connection.getInputStream()) {
            return JSON.readTree(body);
        } finally {
            connection.disconnect();
        }
    }
}
