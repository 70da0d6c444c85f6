package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.demo.process.Started;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// A scheduler with the demo's fleet and workload, started as a process of its own, and a client of
/// its REST API.
final class Visited implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Map<String, String> environment;
    private final HttpClient client = HttpClient.newHttpClient();
    private Started process;
    private String url;

    private Visited(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
        process = launch("0");
        url = process.awaitReady().getFirst();
    }

    /// A scheduler that needs no token.
    static Visited open(Path folder) {
        return new Visited(folder, Map.of());
    }

    /// A scheduler that asks for tokens.
    static Visited locked(Path folder) {
        return new Visited(folder, Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true"));
    }

    private Started launch(String port) {
        var words = new ArrayList<>(List.of("--demo", "--http-port", port, "--grpc-port", "0"));
        words.addAll(List.of("--metrics-port", "0", "--data-dir", folder.resolve("data") + ""));
        return Started.program("scheduler", words, environment, folder.resolve("demo.log"));
    }

    String url() {
        return url;
    }

    String adminToken() {
        try {
            return Files.readString(folder.resolve("data").resolve("admin-token")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops without warning.
    void kill() {
        process.kill();
    }

    /// Stops as an administrator stops it.
    void stop() {
        process.close();
    }

    /// Starts again with the same data on the same port.
    void restart() {
        process = launch(Integer.toString(URI.create(url).getPort()));
        url = process.awaitReady().getFirst();
    }

    JsonNode get(String path) {
        return send("GET", path, "");
    }

    JsonNode send(String method, String path, String body) {
        var request =
                HttpRequest.newBuilder(URI.create(url + "/api/v1/" + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!environment.isEmpty()) {
            request.header("Authorization", "Bearer " + adminToken());
        }
        try {
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as("%s", answer.body()).isLessThan(300);
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// Submits a job and returns its id.
    String submit(String body) {
        return send("POST", "jobs", body).get("job_id").asText();
    }

    void await(String what, String path, Predicate<JsonNode> holds) {
        Started.soon(what, () -> holds.test(get(path)));
    }

    @Override
    public void close() {
        process.close();
    }
}
