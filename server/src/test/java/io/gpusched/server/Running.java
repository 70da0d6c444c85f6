package io.gpusched.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.server.auth.Tokens;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.config.LogSection;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A server in this process, and a client that talks to it over HTTP.
final class Running implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Server server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> headers = new HashMap<>();

    private Running(Server server) {
        this.server = server;
    }

    /// A response, parsed as JSON if it is JSON.
    record Answered(int status, String text, Map<String, String> headers) {
        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (IOException e) {
                throw new UncheckedIOException("not JSON: " + text, e);
            }
        }

        String field(String name) {
            return json().path(name).asText();
        }
    }

    static Running in(Path dataDir) {
        return in(dataDir, Map.of());
    }

    /// Starts a server with a configuration file.
    static Running with(Path dataDir, Path config) {
        return start(dataDir, Map.of(), "--config", config.toString());
    }

    /// @param environment further settings, as environment variables
    static Running in(Path dataDir, Map<String, String> environment) {
        return start(dataDir, environment);
    }

    private static Running start(Path dataDir, Map<String, String> environment, String... further) {
        var words = new ArrayList<>(List.of(further));
        words.addAll(List.of("--data-dir", dataDir.toString(), "--http-port", "0"));
        words.addAll(List.of("--grpc-port", "0", "--metrics-port", "0"));
        Arguments arguments = Arguments.of(words.toArray(String[]::new));
        var config = ConfigReader.read(arguments, environment);
        Logging.configure(new LogSection("warn", false));
        return new Running(
                Server.start(
                        config,
                        death -> {
                            throw new AssertionError(death);
                        }));
    }

    Server server() {
        return server;
    }

    /// Sends this token with every request from now on; empty for none.
    Running as(String token) {
        if (token.isEmpty()) {
            headers.remove("Authorization");
        } else {
            headers.put("Authorization", "Bearer " + token);
        }
        return this;
    }

    Running asAdmin() {
        try {
            return as(Files.readString(Tokens.adminFile(server.config().dataDir())).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Answered get(String path) {
        return send("GET", path, null, Map.of());
    }

    Answered post(String path, String body) {
        return send("POST", path, body, Map.of());
    }

    Answered patch(String path, String body) {
        return send("PATCH", path, body, Map.of());
    }

    Answered delete(String path) {
        return send("DELETE", path, null, Map.of());
    }

    /// Submits a job and returns its id.
    String submit(String body) {
        Answered answered = post("/api/v1/jobs", body);
        if (answered.status() != 201) {
            throw new AssertionError(answered.toString());
        }
        return answered.field("job_id");
    }

    JsonNode job(String id) {
        return get("/api/v1/jobs/" + id).json();
    }

    Answered send(String method, String path, @Nullable String body, Map<String, String> more) {
        URI uri = URI.create(path.startsWith("http") ? path : server.url() + path);
        var request =
                HttpRequest.newBuilder(uri)
                        .timeout(Duration.ofSeconds(30))
                        .method(
                                method,
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        more.forEach(request::header);
        try {
            var response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var found = new HashMap<String, String>();
            response.headers().map().forEach((name, values) -> found.put(name, values.getFirst()));
            return new Answered(response.statusCode(), response.body(), found);
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
