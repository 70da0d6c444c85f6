package io.gpusched.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;

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
