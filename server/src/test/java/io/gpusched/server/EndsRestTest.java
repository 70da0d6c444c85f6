package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.server.agents.LoopbackAgent;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Runs that end unexpectedly, and what the API shows of them until then.
@Timeout(60)
final class EndsRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Path folder = temp.resolve("data-" + made++);
    private final Running rest =
            Running.in(folder, Map.of("GPU_SCHEDULER_AGENT_HEARTBEAT_INTERVAL_MS", "500"));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aJobWhoseNodesAreLostIsTriedThreeTimesMoreAndThenFails() {
        nodes.join("n1", 4);
        String id = rest.submit("{\"gpu_count\":2}");
        for (int loss = 1; loss <= 3; loss++) {
            nodes.run(id);
            assertSaid(id, "running", "");
            nodes.lose("n1");
            assertSaid(
                    id,
                    "pending",
                    "no free place for all of its tasks now; queued again after a lost run");
            assertThat(freeGpus()).as("of a node that is gone").isZero();
            nodes.join("n1", 4);
            assertSaid(id, "scheduled", "");
            assertThat(rest.job(id).get("attempts").asInt()).isEqualTo(loss + 1);
        }
        nodes.run(id);
        nodes.lose("n1");
        assertSaid(id, "failed", "node_lost");
        nodes.join("n1", 4);
        assertSaid(id, "failed", "node_lost");
        assertThat(freeGpus()).isEqualTo(4);
        JsonNode tenant = rest.get("/api/v1/tenants/default").json();
        assertThat(tenant.get("failed_jobs").asInt()).isEqualTo(1);
        assertThat(tenant.get("current_gpus").asInt()).isZero();
    }

    @Test
    void aJobThatTakesTooLongFailsWithTimeout() {
        try (var agent = agent()) {
            assertThat(agent.quiet()).isTrue();
            String id =
                    rest.submit(
                            """
                            {"script":"echo begun; sleep 1000",
                             "max_runtime_seconds":1,"grace_seconds":1}\
                            """);
            Soon.that("it is ended", () -> job(id).get("completed_at").isTextual());
            assertSaid(id, "failed", "timeout");
            assertThat(rest.get("/api/v1/jobs/" + id + "/logs").text()).isEqualTo("begun\n");
            Soon.that("its processes are gone", agent::quiet);
        }
    }

    @Test
    void aJobOnASilentNodeIsShownAsSuchUntilTheNodeIsBack() {
        try (var agent = agent()) {
            String id = rest.submit("{\"script\":\"sleep 1000\"}");
            Soon.that("it runs", () -> job(id).get("state").asText().equals("running"));
            assertSaid(id, "running", "");
            agent.die();
            Soon.that("the node is missed", () -> !job(id).get("reason").asText().isEmpty());
            assertSaid(id, "running", "node unreachable: n1");
            assertThat(rest.get("/api/v1/nodes/n1").field("state")).isEqualTo("unreachable");
            for (String query : new String[] {"", "?follow=true"}) {
                var log = rest.get("/api/v1/jobs/" + id + "/logs" + query);
                assertThat(log.status()).as("log%s", query).isEqualTo(503);
                assertThat(log.field("error")).contains("node n1 is not connected");
                assertThat(log.headers()).containsKey("retry-after");
            }
            agent.comeBack();
            Soon.that("it is heard again", () -> job(id).get("reason").asText().isEmpty());
            assertSaid(id, "running", "");
            assertThat(job(id).get("attempts").asInt()).isOne();
        }
    }

    /// An orderly end of the response would mean that the job writes nothing more.
    @Test
    void aFollowerOfALogNoticesThatItBreaksOff() throws Exception {
        try (var agent = agent();
                var client = HttpClient.newHttpClient()) {
            Path go = folder.resolve("go");
            String id =
                    rest.submit(
                            """
                            {"script":"echo one; while [ ! -e %s ]; do sleep 0.02; done; echo two"}\
                            """
                                    .formatted(go));
            Soon.that("it runs", () -> job(id).get("state").asText().equals("running"));
            String log = "/api/v1/jobs/" + id + "/logs?follow=true";
            try (var lines = following(client, log)) {
                assertThat(lines.readLine()).isEqualTo("one");
                agent.die();
                assertThatThrownBy(lines::readLine).isInstanceOf(IOException.class);
            }
            Files.createFile(go);
            agent.comeBack();
            Soon.that("the log is there again", () -> rest.get(log).status() == 200);
            assertThat(rest.get(log + "&offset=4").text()).isEqualTo("two\n");
        }
    }

    private BufferedReader following(HttpClient client, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(rest.server().url() + path)).build();
        var answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private LoopbackAgent agent() {
        var agent = new LoopbackAgent("n1", folder, rest.server().grpcPort());
        Soon.that("the node is there", () -> rest.get("/api/v1/nodes/n1").status() == 200);
        return agent;
    }

    private int freeGpus() {
        return rest.get("/api/v1/cluster/status").json().get("available_gpus").asInt();
    }

    private JsonNode job(String id) {
        return rest.job(id);
    }

    /// A job shows the same alone and in the list.
    private void assertSaid(String id, String state, String reason) {
        JsonNode listed = rest.get("/api/v1/jobs").json().at("/jobs/0");
        assertThat(listed.get("id").asText()).isEqualTo(id);
        for (JsonNode job : new JsonNode[] {job(id), listed}) {
            assertThat(job.get("state").asText()).isEqualTo(state);
            assertThat(job.get("status").asText()).isEqualTo(state);
            assertThat(job.get("reason").asText()).isEqualTo(reason);
        }
    }
}
