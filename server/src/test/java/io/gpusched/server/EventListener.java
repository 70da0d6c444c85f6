package io.gpusched.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// A client that listens to Server-Sent Events, as a browser would.
final class EventListener implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// One frame of the stream.
    record Frame(String id, String event, JsonNode data) {
        String text(String field) {
            return data.path(field).asText();
        }

        @Override
        public String toString() {
            return id + " " + event + " " + text("job_id") + ": " + text("message");
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final HttpResponse<InputStream> response;
    private volatile String last = "";
    private volatile boolean ended;

    /// @param query with the leading question mark, or empty
    static EventListener at(Server server, String query, Map<String, String> headers) {
        return new EventListener(server, query, headers);
    }

    private EventListener(Server server, String query, Map<String, String> headers) {
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/events" + query))
                        .header("Accept", "text/event-stream");
        headers.forEach(request::header);
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        Thread.ofVirtual().start(this::read);
        if (response.statusCode() == 200) {
            Soon.that("the stream begins", () -> !last.isEmpty());
        }
    }

    private void read() {
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            String event = "";
            String data = "";
            String id = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    event = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty()) {
                    if (!data.isEmpty()) {
                        frames.add(new Frame(id, event, JSON.readTree(data)));
                    }
                    last = id;
                    event = "";
                    data = "";
                }
            }
        } catch (IOException e) {
            // The server stopped, or this client was closed.
        }
        ended = true;
    }

    int status() {
        return response.statusCode();
    }

    /// Everything received so far.
    List<Frame> frames() {
        return List.copyOf(frames);
    }

    /// The id to continue after.
    String last() {
        return last;
    }

    boolean isEnded() {
        return ended;
    }

    Frame await(String event) {
        return await(event, "");
    }

    /// The first event of that kind about the job; an empty job for any.
    Frame await(String event, String job) {
        Soon.that(event + " " + job + " in " + frames, () -> find(event, job).isPresent());
        return find(event, job).orElseThrow();
    }

    private Optional<Frame> find(String event, String job) {
        return frames.stream()
                .filter(one -> one.event.equals(event))
                .filter(one -> job.isEmpty() || one.text("job_id").equals(job))
                .findFirst();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
