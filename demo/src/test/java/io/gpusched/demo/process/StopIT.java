package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Sends SIGTERM to the scheduler while clients submit jobs. Every answer that a client received is
/// complete, and every acknowledged job exists exactly once afterwards.
final class StopIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CLIENTS = 6;

    /// The number of acknowledged submissions before the signal.
    private static final int ENOUGH = 100;

    /// 128 + 15, the exit code of a process that ended on SIGTERM.
    private static final int ENDED_BY_SIGTERM = 143;

    @TempDir Path temp;

    /// The acknowledged jobs: name and id.
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    /// The names of jobs that were sent but not answered.
    private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

    /// Answers that neither accept a job nor give a reason.
    private final Queue<Wire.Got> odd = new ConcurrentLinkedQueue<>();

    private final AtomicInteger names = new AtomicInteger();

    @Test
    @Timeout(180)
    void whatIsAcknowledgedWhileTheServerEndsIsThereAfterwards() throws Exception {
        var clients = new ArrayList<Thread>();
        try (Started first = scheduler()) {
            int port = URI.create(first.awaitReady().getFirst()).getPort();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(() -> submitUntilNobodyAnswers(port)));
            }
            Started.soon("the load is on", () -> acknowledged.size() >= ENOUGH);
            assertThat(first.stop()).as(first.errors()).isEqualTo(ENDED_BY_SIGTERM);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(first.errors()).doesNotContain("ERROR").doesNotContain("\tat ");
        }
        assertThat(odd).isEmpty();

        try (Started second = scheduler()) {
            String url = second.awaitReady().getFirst();
            Map<String, String> kept = jobs(url);
            assertThat(kept).containsAllEntriesOf(acknowledged);
            assertThat(names.get()).isEqualTo(acknowledged.size() + unanswered.size());
            submitAgain(URI.create(url).getPort());
            assertThat(new TreeMap<>(jobs(url))).isEqualTo(new TreeMap<>(acknowledged));
        }
    }

    private void submitUntilNobodyAnswers(int port) {
        try (var wire = new Wire(port)) {
            boolean more = true;
            while (more) {
                more = submitted(wire, "job-" + names.incrementAndGet());
            }
        } catch (IOException gone) {
            return; // It was refused the connection before it had sent anything.
        }
    }

    /// Whether the connection can take another request.
    private boolean submitted(Wire wire, String name) throws IOException {
        Wire.Got got = wire.post("/api/v1/jobs", name, "{\"name\":\"" + name + "\"}");
        switch (got) {
            case Wire.Got.Whole(int status, String body, boolean last) when status == 201 -> {
                acknowledged.put(name, JSON.readTree(body).get("job_id").asText());
                return !last;
            }
            case Wire.Got.Whole(int status, String body, boolean _) -> {
                JsonNode answer = JSON.readTree(body);
                boolean explained =
                        status == 503
                                && !answer.path("error").asText().isEmpty()
                                && !answer.path("hint").asText().isEmpty();
                unanswered.add(name);
                if (!explained) {
                    odd.add(got);
                }
                return false;
            }
            case Wire.Got.Nothing _ -> {
                unanswered.add(name);
                return false;
            }
            case Wire.Got.Half _ -> {
                unanswered.add(name);
                odd.add(got);
                return false;
            }
        }
    }

    /// A submission without an answer may have been accepted; a repeat with the same key shows it.
    private void submitAgain(int port) throws IOException {
        try (var wire = new Wire(port)) {
            for (String name : List.copyOf(unanswered)) {
                assertThat(submitted(wire, name)).isTrue();
            }
        }
    }

    /// All jobs by name; fails if two have the same name.
    private static Map<String, String> jobs(String url) throws Exception {
        var found = new HashMap<String, String>();
        try (var client = HttpClient.newHttpClient()) {
            int total = Integer.MAX_VALUE;
            while (found.size() < total) {
                var page = URI.create(url + "/api/v1/jobs?limit=1000&offset=" + found.size());
                var answer =
                        client.send(
                                HttpRequest.newBuilder(page).build(),
                                HttpResponse.BodyHandlers.ofString());
                JsonNode listed = JSON.readTree(answer.body());
                total = listed.get("total").asInt();
                for (JsonNode job : listed.get("jobs")) {
                    String name = job.get("name").asText();
                    assertThat(found.put(name, job.get("id").asText())).as(name).isNull();
                }
            }
        }
        return found;
    }

    private Started scheduler() {
        return Started.program(
                "scheduler",
                List.of(
                        "--data-dir", temp.resolve("data").toString(),
                        "--http-port", "0",
                        "--grpc-port", "0",
                        "--metrics-port", "0"),
                Map.of(),
                temp.resolve("scheduler.log"));
    }
}
