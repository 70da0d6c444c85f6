package io.gpusched.demo.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import javax.net.ssl.SSLContext;

/// The scheduler's REST API, as the demo uses it.
public final class PoolApi implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String root;
    private final String token;
    private final HttpClient client;

    /// @param url of the scheduler, without a path
    /// @param token authenticates the requests; empty if not needed
    public PoolApi(String url, String token, SSLContext trusted) {
        this.root = url + "/api/v1/";
        this.token = token;
        this.client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(trusted)
                        .connectTimeout(PATIENCE)
                        .build();
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return send("GET", path, "");
    }

    /// @throws IOException if there is no answer, or one that is not a success
    JsonNode send(String method, String path, String body)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(root + path))
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(
                    "%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
        }
        return parse(answer.body());
    }

    private static JsonNode parse(String body) throws JsonProcessingException {
        return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
