package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.server.agents.LoopbackAgent;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.ConfigReader;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Which caller may use which route.
@Timeout(60)
final class AccessTest {
    private static final Map<String, String> LOCKED = Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true");

    @TempDir Path dataDir;

    private @Nullable Running running;

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void withoutATokenOnlyProbesAreAnswered() {
        Running rest = start(LOCKED);

        for (String path : List.of("/health", "/healthz", "/readyz", "/openapi.json", "/")) {
            assertThat(rest.get(path).status()).as(path).isEqualTo(200);
        }
        for (String path :
                List.of(
                        "/api/v1/jobs",
                        "/api/v1/tenants",
                        "/api/v1/nodes",
                        "/api/v1/cluster/status",
                        "/metrics",
                        rest.server().metricsUrl())) {
            var refused = rest.get(path);
            assertThat(refused.status()).as(path).isEqualTo(401);
            assertThat(refused.field("hint")).contains("Authorization");
        }
        assertThat(rest.post("/api/v1/jobs", "{}").status()).isEqualTo(401);
        assertThat(rest.as("tok-1.wrong").get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void measurementsCanBeOpenedToAScraperWithoutAToken() {
        Running rest =
                start(
                        Map.of(
                                "GPU_SCHEDULER_AUTH_ENABLED",
                                "true",
                                "GPU_SCHEDULER_METRICS_PUBLIC",
                                "true"));

        assertThat(rest.get(rest.server().metricsUrl()).status()).isEqualTo(200);
        assertThat(rest.get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void onlyTheOwnerCanReadWhatIsKept() throws IOException {
        running = Running.in(dataDir.resolve("deeper"), LOCKED);

        assertThat(permissions(dataDir.resolve("deeper"))).isEqualTo("rwx------");
        for (String file : List.of("journal.db", "tables.db", "tokens")) {
            assertThat(permissions(dataDir.resolve("deeper").resolve(file)))
                    .as(file)
                    .isEqualTo("rw-------");
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void theErrorOfATakenPortNamesTheFlagForAnother() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            var before = eventThreads();
            for (String flag : List.of("--http-port", "--grpc-port", "--metrics-port")) {
                var words =
                        new ArrayList<>(List.of("--data-dir", dataDir.resolve("taken").toString()));
                for (String each : List.of("--http-port", "--grpc-port", "--metrics-port")) {
                    words.addAll(List.of(each, each.equals(flag) ? port : "0"));
                }
                var config =
                        ConfigReader.read(Arguments.of(words.toArray(String[]::new)), Map.of());
                assertThatThrownBy(() -> Server.start(config, death -> {}))
                        .hasMessageContaining(port)
                        .hasMessageContaining(flag);
                Soon.that("its thread ends", () -> before.containsAll(eventThreads()));
            }
        }
    }

    private static Set<Thread> eventThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("live-events"))
                .collect(Collectors.toSet());
    }

    @Test
    void theAdministratorMayDoEverything() {
        Running rest = start(LOCKED).asAdmin();

        assertThat(rest.get("/api/v1/jobs").status()).isEqualTo(200);
        assertThat(rest.get("/metrics").status()).isEqualTo(200);
        assertThat(rest.post("/api/v1/tenants", "{\"name\":\"a\"}").status()).isEqualTo(201);
    }

    @Test
    void aTenantSeesAndTouchesOnlyItsOwn() {
        Running rest = start(LOCKED).asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        rest.post("/api/v1/tenants", "{\"id\":\"b\",\"name\":\"B\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String others = rest.submit("{\"tenant_id\":\"b\"}");

        rest.as(token);
        String own = rest.submit("{\"name\":\"mine\"}");
        assertThat(rest.job(own).get("tenant_id").asText()).isEqualTo("a");
        assertThat(rest.post("/api/v1/jobs", "{\"tenant_id\":\"b\"}").status()).isEqualTo(404);
        assertThat(rest.post("/api/v1/jobs", "{\"tenant_id\":\"default\"}").status())
                .isEqualTo(404);
        JsonNode list = rest.get("/api/v1/jobs").json();
        assertThat(list.get("total").asInt()).isEqualTo(1);
        assertThat(list.get("jobs").get(0).get("id").asText()).isEqualTo(own);
        assertThat(rest.get("/api/v1/jobs?tenant_id=b").status()).isEqualTo(404);
        for (Running.Answered answered :
                List.of(
                        rest.get("/api/v1/jobs/" + others),
                        rest.delete("/api/v1/jobs/" + others),
                        rest.patch("/api/v1/jobs/" + others, "{\"priority\":1}"),
                        rest.get("/api/v1/jobs/" + others + "/logs"),
                        rest.get("/api/v1/jobs/" + others + "/events"),
                        rest.get("/api/v1/jobs/" + others + "/explain"),
                        rest.post("/api/v1/jobs/" + others + "/hold", ""),
                        rest.get("/api/v1/tenants/b"))) {
            assertThat(answered.status()).as(answered.text()).isEqualTo(404);
        }
        assertThat(rest.get("/api/v1/tenants").json().get("total").asInt()).isEqualTo(1);
        JsonNode cluster = rest.get("/api/v1/cluster/status").json();
        assertThat(cluster.get("total_jobs").asInt()).isEqualTo(1);
        assertThat(rest.delete("/api/v1/jobs/" + own).status()).isEqualTo(200);
    }

    @Test
    void aTenantSeesThatItPreemptedJobsButNotWhich() {
        Running rest = start(LOCKED).asAdmin();
        var nodes = new FakeNodes(rest.server());
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        rest.post("/api/v1/tenants", "{\"id\":\"b\",\"name\":\"B\",\"allow_preemption\":true}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String low = rest.submit("{\"tenant_id\":\"b\",\"gpu_count\":4}");
        nodes.run(low);
        String high = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":4,\"priority\":1000}");
        Soon.that(
                "the low job is asked to stop",
                () -> rest.job(low).get("reason").asText().startsWith("stopping"));
        nodes.end(low, 143);

        rest.as(token);
        Soon.that(
                "the high job has its place",
                () -> rest.job(high).get("state").asText().equals("scheduled"));
        JsonNode why = rest.get("/api/v1/jobs/" + high + "/explain").json();
        assertThat(why.get("preempted").asInt()).isEqualTo(1);
        assertThat(why.get("preempted_jobs")).isEmpty();
        for (String page : List.of("", "/explain", "/events")) {
            assertThat(rest.get("/api/v1/jobs/" + high + page).text())
                    .doesNotContain("\"" + low + "\"", low + " ", low + ",");
        }
    }

    @Test
    void aTenantMayNotAdminister() {
        Running rest = start(LOCKED).asAdmin();
        new FakeNodes(rest.server()).join("n1", 2);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String others = rest.submit("{\"gpu_count\":2}");

        rest.as(token);
        for (Running.Answered answered :
                List.of(
                        rest.post("/api/v1/tenants", "{\"name\":\"x\"}"),
                        rest.patch("/api/v1/tenants/a", "{\"max_gpus\":9}"),
                        rest.delete("/api/v1/tenants/a"),
                        rest.post("/api/v1/tenants/a/tokens", ""),
                        rest.get("/api/v1/tenants/a/tokens"),
                        rest.post("/api/v1/agents/tokens", ""),
                        rest.post("/api/v1/nodes/n1/drain", ""),
                        rest.post("/api/v1/nodes/n1/cordon", ""),
                        rest.delete("/api/v1/nodes/n1"),
                        rest.get("/metrics"))) {
            assertThat(answered.status()).as(answered.text()).isEqualTo(403);
            assertThat(answered.field("code")).isEqualTo("forbidden");
        }
        assertThat(rest.get("/api/v1/nodes").text())
                .as("who holds a GPU is not a tenant's business")
                .doesNotContain(others);
    }

    @Test
    void aRevokedTokenOpensNothing() {
        Running rest = start(LOCKED).asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        var minted = rest.post("/api/v1/tenants/a/tokens", "");
        assertThat(minted.status()).isEqualTo(201);
        assertThat(rest.get("/api/v1/tenants/a/tokens").text())
                .contains(minted.field("token_id"))
                .doesNotContain(minted.field("token"));
        assertThat(rest.as(minted.field("token")).get("/api/v1/jobs").status()).isEqualTo(200);
        rest.asAdmin();
        rest.delete("/api/v1/tenants/a/tokens/" + minted.field("token_id"));

        assertThat(rest.as(minted.field("token")).get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void aRevokedTokenEndsTheLogsThatAreFollowedWithIt() throws Exception {
        Running rest = start(LOCKED).asAdmin();
        String join = Files.readString(Tokens.joinFile(dataDir)).strip();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        var minted = rest.post("/api/v1/tenants/a/tokens", "");
        Path done = dataDir.resolve("done");
        try (var _ =
                        new LoopbackAgent(
                                "n1", dataDir.resolve("agents"), rest.server().grpcPort(), join);
                var client = HttpClient.newHttpClient()) {
            String job =
                    rest.submit(
                            """
                            {"tenant_id": "a", "script": "while [ ! -e %s ]; do echo on; sleep 0.1; done"}
                            """
                                    .formatted(done));
            URI logs =
                    URI.create(rest.server().url() + "/api/v1/jobs/" + job + "/logs?follow=true");
            InputStream followed = follow(client, logs, minted.field("token"));
            assertThat(followed.readNBytes(3)).asString().isEqualTo("on\n");
            rest.delete("/api/v1/tenants/a/tokens/" + minted.field("token_id"));
            assertThatThrownBy(followed::readAllBytes).isInstanceOf(IOException.class);
        } finally {
            Files.createFile(done);
        }
    }

    /// Polls until the job has written output.
    private static InputStream follow(HttpClient client, URI logs, String token) throws Exception {
        while (true) {
            var response =
                    client.send(
                            HttpRequest.newBuilder(logs)
                                    .header("Authorization", "Bearer " + token)
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() == 200
                    && response.headers().map().get("X-Log-Next-Offset") == null) {
                return response.body();
            }
            response.body().readAllBytes();
        }
    }

    @Test
    void withATenantGoItsTokens() {
        Running rest = start(LOCKED).asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        rest.delete("/api/v1/tenants/a");

        assertThat(rest.as(token).get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void aJoinTokenOpensNoRoute() {
        Running rest = start(LOCKED).asAdmin();
        var minted = rest.post("/api/v1/agents/tokens", "");
        assertThat(rest.get("/api/v1/agents/tokens").json().get("total").asInt()).isEqualTo(2);

        rest.as(minted.field("token"));
        assertThat(rest.get("/api/v1/jobs").status()).isEqualTo(403);
        assertThat(rest.get("/metrics").status()).isEqualTo(403);
        rest.asAdmin();
        assertThat(rest.delete("/api/v1/agents/tokens/" + minted.field("token_id")).status())
                .isEqualTo(200);
    }

    @Test
    void onLoopbackATenantsTokenIsAsNarrowAsAnywhere() {
        Running rest = start(Map.of());
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String others = rest.submit("{}");

        assertThat(rest.as(token).get("/api/v1/jobs/" + others).status()).isEqualTo(404);
        assertThat(rest.as("nonsense").get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void aForeignPageOrNameIsRefused() {
        Running rest = start(Map.of("GPU_SCHEDULER_API_CORS_ORIGINS", "https://ui.example"));

        assertThat(Raw.status(ask(rest, "evil.example", ""))).isEqualTo(403);
        assertThat(Raw.status(ask(rest, "localhost", "https://evil.example"))).isEqualTo(403);
        assertThat(Raw.status(ask(rest, "localhost", "null"))).isEqualTo(403);
        String allowed = ask(rest, "localhost", "https://ui.example");
        assertThat(Raw.status(allowed)).isEqualTo(200);
        assertThat(allowed.toLowerCase(java.util.Locale.ROOT))
                .contains("access-control-allow-origin: https://ui.example");
        String plain = ask(rest, "127.0.0.1:1", "");
        assertThat(Raw.status(plain)).isEqualTo(200);
        assertThat(plain.toLowerCase(java.util.Locale.ROOT)).doesNotContain("access-control");
    }

    /// A browser sends this preflight request before the real one, without a token.
    @Test
    void theQuestionBeforeARequestIsAnsweredToPagesThatMayCall() {
        Running rest =
                start(
                        Map.of(
                                "GPU_SCHEDULER_API_CORS_ORIGINS", "https://ui.example",
                                "GPU_SCHEDULER_AUTH_ENABLED", "true"));
        String allowed = ask(rest, "OPTIONS", "localhost", "https://ui.example");

        assertThat(Raw.status(allowed)).isEqualTo(200);
        assertThat(allowed.toLowerCase(java.util.Locale.ROOT))
                .contains("access-control-allow-origin: https://ui.example")
                .contains("access-control-allow-methods: get, post, patch, delete")
                .contains("access-control-allow-headers: authorization, content-type");
        assertThat(Raw.status(ask(rest, "OPTIONS", "localhost", ""))).isEqualTo(200);
        assertThat(Raw.status(ask(rest, "OPTIONS", "localhost", "https://evil.example")))
                .isEqualTo(403);
        assertThat(Raw.status(ask(rest, "localhost", "https://ui.example"))).isEqualTo(401);
    }

    @Test
    void aMembersJobWithoutATenantIsItsOwnHoweverItIsLeftOut() {
        Running rest = start(LOCKED).asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"a\"}");
        rest.as(rest.post("/api/v1/tenants/a/tokens", "").field("token"));

        for (String body : List.of("{}", "{\"tenant_id\":null}")) {
            assertThat(rest.job(rest.submit(body)).get("tenant_id").asText()).isEqualTo("a");
        }
    }

    @Test
    void aCallerAboveTheRateLimitIsToldWhenToRetry() {
        Running rest = start(Map.of("GPU_SCHEDULER_API_RATE_LIMIT_RPS", "5"));
        Running.Answered last = rest.get("/api/v1/jobs");
        for (int i = 0; i < 20 && last.status() == 200; i++) {
            last = rest.get("/api/v1/jobs");
        }

        assertThat(last.status()).isEqualTo(429);
        assertThat(last.headers()).containsKey("retry-after");
        assertThat(last.field("code")).isEqualTo("rate_limited");
        assertThat(rest.get("/health").status()).isEqualTo(200);
    }

    @Test
    void theErrorOfAFullQueueStatesWhenToRetry() {
        Running rest = start(Map.of("GPU_SCHEDULER_SCHEDULER_MAX_QUEUE_SIZE", "2"));
        rest.submit("{}");
        rest.submit("{}");
        var refused = rest.post("/api/v1/jobs", "{}");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.field("error")).isEqualTo("queue is full (max size: 2)");
        assertThat(refused.field("hint")).isNotEmpty();
        assertThat(refused.headers()).containsKey("retry-after");
    }

    @Test
    void theServerDoesNotListenBeyondLoopbackUnlocked() {
        assertThatThrownBy(() -> start(Map.of("GPU_SCHEDULER_API_HOST", "0.0.0.0")))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void aSecondServerOnTheSameFilesIsRefused() {
        start(Map.of());
        assertThatThrownBy(() -> Running.in(dataDir).close()).hasMessageContaining("in use by");
    }

    private static String ask(Running rest, String host, String origin) {
        return ask(rest, "GET", host, origin);
    }

    private static String ask(Running rest, String method, String host, String origin) {
        return Raw.send(
                rest.server(),
                method
                        + " /api/v1/jobs HTTP/1.1\r\nHost: "
                        + host
                        + "\r\n"
                        + (origin.isEmpty() ? "" : "Origin: " + origin + "\r\n")
                        + "Connection: close\r\n\r\n");
    }

    private Running start(Map<String, String> environment) {
        Running made = Running.in(dataDir, environment);
        running = made;
        return Objects.requireNonNull(made);
    }
}
