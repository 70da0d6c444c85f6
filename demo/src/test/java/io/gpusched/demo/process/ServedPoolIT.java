package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A scheduler, an agent and a gateway, each a process of its own, serve a pool. The pool has no
/// replica until a request comes, and a replica that is stopped finishes the answer that it
/// streams.
@Timeout(240)
final class ServedPoolIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REPLICA_HEADER = "x-gpu-scheduler-replica";

    @TempDir Path temp;

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port = twoFreePorts();
    private String scheduler = "";
    private String gateway = "";

    @Test
    void aPoolStartsForARequestAndDrainsWithoutLosingAnAnswer() throws Exception {
        try (Started server = scheduler()) {
            List<String> addresses = server.awaitReady();
            scheduler = addresses.getFirst();
            try (Started agent = agent(addresses.get(1));
                    Started proxy = gateway()) {
                gateway = proxy.awaitListening();
                Started.soon("the node is ready", () -> get(nodes()).at("/total").asInt() == 1);
                putPool();
                aRequestStartsTheFirstReplica();
                aReplicaThatDrainsFinishesItsAnswer();
                removePool();
                assertThat(agent.isAlive()).isTrue();
                assertThat(proxy.errors()).doesNotContain("ERROR").doesNotContain("\tat ");
            }
            assertThat(server.errors()).doesNotContain("ERROR").doesNotContain("\tat ");
        } finally {
            // An orderly close would wait for answers that a failed test has not read.
            http.shutdownNow();
        }
    }

    private void putPool() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var pool = JSON.createObjectNode().put("model", "tiny");
        pool.put("min_replicas", 0).put("max_replicas", 2);
        pool.putObject("replica")
                .put("num_gpus", 1)
                .putArray("command")
                .add(java)
                .add("-XX:TieredStopAtLevel=1")
                .add("-XX:+UseSerialGC")
                .add("-cp")
                .add(Path.of("target/test-classes").toAbsolutePath().toString())
                .add(TestReplica.class.getName())
                .add(temp.resolve("loaded").toString());
        pool.putObject("slo").put("ttft_ms", 60_000);
        pool.putObject("scaling").put("law", "slo").put("interval_seconds", 1);
        pool.putObject("serving")
                .put("port", port)
                .put("metrics_path", "")
                .put("drain_seconds", 300);
        assertThat(send("PUT", chat(), pool.toString()).statusCode()).isEqualTo(201);
        Started.soon("the gateway knows the pool", () -> !served().isMissingNode());
        assertThat(status().get("desired").asInt()).isZero();
    }

    private void aRequestStartsTheFirstReplica() throws Exception {
        CompletableFuture<HttpResponse<InputStream>> asked = ask("hello");
        Started.soon("a replica starts", () -> status().get("starting").asInt() == 1);
        // The gateway may answer with a page that it made up to a second ago.
        Started.soon("the request is held", () -> served().get("held").asInt() == 1);
        assertThat(asked).isNotDone();

        Files.createFile(temp.resolve("loaded"));
        HttpResponse<InputStream> answer = asked.get();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(text(answer)).isEqualTo(TestReplica.answer());
        assertThat(replicaOf(answer)).isEqualTo("job-1");
        Started.soon("it is ready", () -> status().get("ready").asInt() == 1);
        assertThat(get("/api/v1/jobs?all=true").get("total").asInt()).isOne();
        assertThat(get("/api/v1/jobs/job-1").get("attempts").asInt()).isOne();
    }

    private void aReplicaThatDrainsFinishesItsAnswer() throws Exception {
        scaleTo(2);
        Started.soon("both serve", () -> count("ready") == 2);
        var streams = List.of(ask("hello, slowly").get(), ask("hello, slowly").get());
        assertThat(streams)
                .extracting(ServedPoolIT::replicaOf)
                .containsExactlyInAnyOrder("job-1", "job-2");

        scaleTo(1);
        Started.soon("one drains", () -> count("draining") == 1 && count("ready") == 1);
        String leaves = jobIn("draining");
        String stays = jobIn("ready");
        assertThat(replicaOf(ask("hello").get())).isEqualTo(stays);
        assertThat(get("/api/v1/jobs/" + leaves).get("state").asText()).isEqualTo("running");

        finish(leaves);
        assertThat(textOf(leaves, streams)).isEqualTo(TestReplica.answer());
        Started.soon("it stopped", () -> status().get("replicas").size() == 1);
        assertThat(status().at("/replicas/0/job_id").asText()).isEqualTo(stays);
        finish(stays);
        assertThat(textOf(stays, streams)).isEqualTo(TestReplica.answer());
    }

    /// Tasks outlive their agent, so the test must leave none.
    private void removePool() throws Exception {
        assertThat(send("DELETE", chat(), "").statusCode()).isEqualTo(202);
        Started.soon("the pool is gone", () -> get(chat()).path("status").isMissingNode());
        Started.soon("nothing runs", () -> get(running()).get("total").asInt() == 0);
    }

    private void scaleTo(int replicas) throws Exception {
        String body = "{\"replicas\": %d, \"reason\": \"test\"}".formatted(replicas);
        assertThat(send("POST", chat() + "/scale", body).statusCode()).isEqualTo(200);
    }

    /// Lets a replica finish the answers that it paused.
    private void finish(String job) throws Exception {
        for (JsonNode replica : served().get("replicas")) {
            if (replica.get("job_id").asText().equals(job)) {
                var to = URI.create("http://" + replica.get("address").asText());
                var request =
                        HttpRequest.newBuilder(to.resolve(TestReplica.FINISH))
                                .POST(HttpRequest.BodyPublishers.noBody());
                http.send(request.build(), HttpResponse.BodyHandlers.discarding());
                return;
            }
        }
        throw new AssertionError("the gateway does not know " + job);
    }

    /// Sends a prompt; the answer is there as soon as it begins.
    private CompletableFuture<HttpResponse<InputStream>> ask(String prompt) {
        String body =
                "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
                        .formatted(prompt);
        var request =
                HttpRequest.newBuilder(URI.create(gateway + "/pools/chat/v1/chat/completions"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static String textOf(String job, List<HttpResponse<InputStream>> answers)
            throws IOException {
        for (HttpResponse<InputStream> answer : answers) {
            if (replicaOf(answer).equals(job)) {
                return text(answer);
            }
        }
        throw new AssertionError(job + " answers nothing");
    }

    private static String text(HttpResponse<InputStream> answer) throws IOException {
        return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String replicaOf(HttpResponse<?> answer) {
        return answer.headers().firstValue(REPLICA_HEADER).orElse("");
    }

    private static String chat() {
        return "/api/v1/pools/chat";
    }

    private static String nodes() {
        return "/api/v1/nodes";
    }

    private static String running() {
        return "/api/v1/jobs?state=running";
    }

    /// The pool as the scheduler sees it.
    private JsonNode status() {
        return get(chat()).get("status");
    }

    /// The pool as the gateway sees it.
    private JsonNode served() {
        return json("GET", gateway + "/status", "").at("/pools/0");
    }

    private long count(String state) {
        return served().get("replicas").findValuesAsText("state").stream()
                .filter(state::equals)
                .count();
    }

    private String jobIn(String state) {
        for (JsonNode replica : served().get("replicas")) {
            if (replica.get("state").asText().equals(state)) {
                return replica.get("job_id").asText();
            }
        }
        throw new AssertionError("no replica is " + state);
    }

    private JsonNode get(String path) {
        return json("GET", scheduler + path, "");
    }

    private JsonNode json(String method, String url, String body) {
        try {
            return JSON.readTree(sendTo(method, url, body).body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        return sendTo(method, scheduler + path, body);
    }

    private HttpResponse<String> sendTo(String method, String url, String body)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(url))
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
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

    private Started agent(String server) {
        return Started.program(
                "agent",
                List.of(
                        "--server", server,
                        "--fake-gpus", "2xA100-80GB",
                        "--node-id", "node1",
                        "--address", "127.0.0.1",
                        "--data-dir", temp.resolve("agent").toString()),
                Map.of(),
                temp.resolve("agent.log"));
    }

    private Started gateway() {
        return Started.program(
                "gateway",
                List.of(
                        "--scheduler", scheduler,
                        "--listen", "127.0.0.1:0",
                        "--poll-ms", "100",
                        "--report-ms", "200",
                        "--probe-ms", "100"),
                Map.of(),
                temp.resolve("gateway.log"));
    }

    /// Two ports, one after the other, that nothing listens on.
    private static int twoFreePorts() {
        InetAddress here = InetAddress.getLoopbackAddress();
        while (true) {
            try (var first = new ServerSocket(0, 1, here);
                    var _ = new ServerSocket(first.getLocalPort() + 1, 1, here)) {
                return first.getLocalPort();
            } catch (IOException | IllegalArgumentException _) {
                // The second one is taken: try another pair.
            }
        }
    }
}
