package io.gpusched.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Requests from clients through a real gateway to scripted replicas.
final class GatewayTest {
    @SuppressWarnings("NullAway.Init")
    private GatewayScene scene;

    @BeforeEach
    void open() throws IOException {
        scene = new GatewayScene();
    }

    @AfterEach
    void close() throws IOException {
        scene.close();
    }

    @Test
    void aStreamPassesUnchanged() throws Exception {
        ScriptedReplica replica = scene.replica("job-1");
        scene.start();

        HttpResponse<String> answer = scene.chat("authorization", "Bearer secret").get();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).contains("text/event-stream");
        assertThat(answer.body().lines().filter(line -> !line.isEmpty()))
                .containsExactly(
                        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}",
                        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" world\"}}]}",
                        "data: [DONE]");
        assertThat(GatewayScene.servedBy(answer)).isEqualTo("job-1");
        var request = replica.requests().getFirst();
        assertThat(request.line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
        assertThat(request.body()).isEqualTo(GatewayScene.CHAT.replace("\"chat\"", "\"llama\""));
        assertThat(request.head()).doesNotContainIgnoringCase("authorization");
    }

    @Test
    void theModelNamesThePool() throws Exception {
        scene.scheduler.pool("other");
        ScriptedReplica replica = scene.replica("job-1");
        scene.start();

        String byModel = GatewayScene.CHAT.replace("\"chat\"", "\"llama\"");
        assertThat(scene.ask("/v1/chat/completions", GatewayScene.CHAT).get().statusCode())
                .isEqualTo(200);
        assertThat(scene.ask("/v1/chat/completions", byModel).get().statusCode()).isEqualTo(200);
        var unknown = scene.ask("/v1/chat/completions", "{\"model\":\"gpt\"}").get();
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("'gpt'").contains("GET /v1/models");
        for (String body : List.of("{", "[]", "{\"model\":5}", "{}")) {
            var nameless = scene.ask("/v1/chat/completions", body).get();
            assertThat(nameless.statusCode()).isEqualTo(400);
            assertThat(nameless.body()).contains("no_model", "add a text");
        }
        assertThat(replica.requests()).hasSize(2).allMatch(each -> each.body().contains("llama"));
        assertThat(scene.page("/v1/models"))
                .contains("\"id\":\"chat\"", "\"id\":\"other\"", "\"id\":\"llama\"");
    }

    @Test
    void loadIsReported() throws Exception {
        ScriptedReplica replica = scene.replica("job-1");
        replica.script(
                exchange -> {
                    exchange.beginStream();
                    exchange.token("a");
                    exchange.token("b");
                    exchange.event(
                            "{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":5}}");
                    exchange.endStream();
                });
        scene.start();
        for (int i = 0; i < 3; i++) {
            scene.chat().get();
        }

        GatewayScene.until("three answers are reported", () -> total("answered") == 3);

        assertThat(total("arrivals")).isEqualTo(3);
        assertThat(total("within_slo")).isEqualTo(3);
        assertThat(total("output_tokens")).isEqualTo(15);
        assertThat(total("prompt_tokens")).isEqualTo(3 * 4);
        var sequences = new ArrayList<Long>();
        for (var report : scene.scheduler.reports()) {
            assertThat(report.pool()).isEqualTo("chat");
            assertThat(report.token()).isEqualTo("gateway-token");
            assertThat(report.json().path("source").asText()).isEqualTo("gw-1");
            assertThat(report.json().path("over_ms").asLong()).isPositive();
            sequences.add(report.json().path("sequence").asLong());
        }
        assertThat(sequences).isSorted().doesNotHaveDuplicates();
        long replicaTokens = 0;
        for (var report : scene.scheduler.reports()) {
            JsonNode only = report.json().path("replicas").path(0);
            assertThat(only.path("job_id").asText()).isEqualTo("job-1");
            replicaTokens += only.path("output_tokens").asLong();
        }
        assertThat(replicaTokens).isEqualTo(15);
        assertThat(scene.scheduler.last().at("/replicas/0/ready").asBoolean()).isTrue();
    }

    private long total(String field) {
        return scene.scheduler.reports().stream()
                .mapToLong(report -> report.json().path(field).asLong())
                .sum();
    }

    @Test
    void theLeastLoadedReplicaTakesTheNextRequest() throws Exception {
        var finish = new CountDownLatch(1);
        for (int i = 1; i <= 3; i++) {
            scene.replica("job-" + i).script(waiting(finish));
        }
        scene.start();

        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 1; i <= 6; i++) {
            answers.add(scene.chat());
            long sent = i;
            // A request counts more until its answer begins, so each waits for that of the last
            // one.
            GatewayScene.until("its answer began", () -> inFlight() == sent && unanswered() == 0);
        }
        finish.countDown();

        var counts = new ArrayList<String>();
        for (var answer : answers) {
            counts.add(GatewayScene.servedBy(answer.get()));
        }
        assertThat(counts)
                .containsExactlyInAnyOrder("job-1", "job-1", "job-2", "job-2", "job-3", "job-3");
    }

    private static ScriptedReplica.Script waiting(CountDownLatch finish) {
        return exchange -> {
            exchange.beginStream();
            exchange.token("a");
            finish.await(30, TimeUnit.SECONDS);
            exchange.endStream();
        };
    }

    private long inFlight() {
        return pool().path("in_flight").asLong();
    }

    private long unanswered() {
        long sum = 0;
        for (JsonNode replica : pool().path("replicas")) {
            sum += replica.path("unanswered").asLong();
        }
        return sum;
    }

    private JsonNode pool() {
        try {
            return ScriptedScheduler.JSON.readTree(scene.page("/status")).at("/pools/0");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aSessionStaysOnItsReplicaUntilThatIsMuchMoreLoaded() throws Exception {
        for (int i = 1; i <= 4; i++) {
            scene.replica("job-" + i);
        }
        scene.start();
        var seen = new HashSet<String>();
        String last = "";
        for (int i = 0; i < 5; i++) {
            last = GatewayScene.servedBy(scene.chat("x-session-id", "s1").get());
            seen.add(last);
        }
        assertThat(seen).hasSize(1);
        assertThat(scene.page("/metrics"))
                .contains("session_affinity_hit_ratio{pool=\"chat\"} 1\n");
        assertThat(scene.page("/metrics")).contains("agent_active_sessions{pool=\"chat\"} 1\n");

        scene.scheduler.forget("chat", last);
        String gone = last;
        GatewayScene.until("the replica is gone", () -> !status().contains(gone));
        assertThat(GatewayScene.servedBy(scene.chat("x-session-id", "s1").get()))
                .startsWith("job-")
                .isNotEqualTo(last);
    }

    private String status() {
        try {
            return scene.page("/status");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void requestsWaitWhileThePoolScalesFromZero() throws Exception {
        scene.start();
        var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (int i = 0; i < 5; i++) {
            answers.add(scene.chat());
        }
        GatewayScene.until(
                "the scheduler knows of five requests",
                () -> reported("held") == 5 && reported("held_tokens") == 20);

        ScriptedReplica replica = scene.replica("job-1", "starting").healthy(false);
        GatewayScene.until("it is known", () -> status().contains("job-1"));
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        replica.healthy(true);

        for (var answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
        GatewayScene.until("none is held", () -> reported("held") == 0);
        assertThat(scene.scheduler.last().at("/replicas/0/ready").asBoolean()).isTrue();
    }

    private long reported(String field) {
        return scene.scheduler.reports().isEmpty()
                ? -1
                : scene.scheduler.last().path(field).asLong();
    }

    @Test
    void waitingIsBoundedByNumberAndByTime() throws Exception {
        scene.start(
                settings ->
                        GatewayScene.with(
                                settings, GatewayScene.limits(2, Duration.ofMillis(500), 512)));
        var first = scene.chat();
        var second = scene.chat();
        GatewayScene.until("two wait", () -> reported("held") == 2);

        var third = scene.chat().get();

        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.headers().firstValue("retry-after")).contains("5");
        assertThat(first.get().statusCode()).isEqualTo(503);
        assertThat(second.get().body()).contains("no replica became ready within");
        GatewayScene.until("three rejections are reported", () -> total("rejected") == 3);
    }

    @Test
    void aFullPoolAnswers429() throws Exception {
        var finish = new CountDownLatch(1);
        scene.replica("job-1").script(waiting(finish));
        scene.start(
                settings ->
                        GatewayScene.with(
                                settings, GatewayScene.limits(1, Duration.ofMinutes(5), 1)));
        var running = scene.chat();
        GatewayScene.until("one runs", () -> inFlight() == 1);
        var waiting = scene.chat();
        GatewayScene.until("one waits", () -> reported("held") == 1);

        var refused = scene.chat().get();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("retry-after")).contains("5");
        finish.countDown();
        assertThat(running.get().statusCode()).isEqualTo(200);
        assertThat(waiting.get().statusCode()).isEqualTo(200);
    }

    @Test
    void aDrainingReplicaFinishesItsRequestsAndGetsNoOther() throws Exception {
        var finish = new CountDownLatch(1);
        ScriptedReplica stopping = scene.replica("job-1").script(waiting(finish));
        scene.start();
        var running = scene.chat();
        GatewayScene.until("it runs", () -> inFlight() == 1);

        scene.scheduler.replica("chat", "job-1", "draining", stopping.port());
        scene.replica("job-2");
        GatewayScene.until("the gateway knows", () -> status().contains("draining"));

        GatewayScene.until(
                "it is reported as not ready",
                () -> !replica("job-1").path("ready").asBoolean(true));
        assertThat(
                        replica("job-1").path("running").asLong()
                                + replica("job-1").path("waiting").asLong())
                .isEqualTo(1);
        for (int i = 0; i < 5; i++) {
            assertThat(GatewayScene.servedBy(scene.chat().get())).isEqualTo("job-2");
        }
        finish.countDown();
        assertThat(running.get().body()).contains("[DONE]");
        GatewayScene.until(
                "it is reported as empty",
                () ->
                        replica("job-1").path("running").asLong(9) == 0
                                && replica("job-1").path("waiting").asLong(9) == 0);
        assertThat(stopping.requests()).hasSize(1);
    }

    private JsonNode replica(String job) {
        for (JsonNode each : scene.scheduler.last().path("replicas")) {
            if (each.path("job_id").asText().equals(job)) {
                return each;
            }
        }
        return ScriptedScheduler.JSON.createObjectNode();
    }

    @Test
    void theGatewayServesWhileTheSchedulerIsAway() throws Exception {
        scene.replica("job-1");
        scene.scheduler.key("k", "acme");
        scene.start();
        assertThat(scene.chat("authorization", "Bearer k").get().statusCode()).isEqualTo(200);

        scene.scheduler.status(503);
        GatewayScene.until(
                "it is noticed", () -> status().contains("\"scheduler_reachable\" : false"));
        assertThat(scene.chat("authorization", "Bearer k").get().statusCode()).isEqualTo(200);
        int before = scene.scheduler.reports().size();

        scene.scheduler.status(200);
        GatewayScene.until("it reports again", () -> scene.scheduler.reports().size() > before);
        GatewayScene.until("nothing is missing", () -> total("answered") == 2);
    }

    @Test
    void keysAreThoseOfTheScheduler() throws Exception {
        scene.replica("job-1");
        scene.scheduler.key("acme-key", "acme").key("other-key", "other");
        scene.start();

        assertThat(scene.chat().get().statusCode()).isEqualTo(401);
        assertThat(scene.chat("authorization", "Bearer wrong").get().statusCode()).isEqualTo(401);
        assertThat(scene.chat("authorization", "Bearer other-key").get().statusCode())
                .isEqualTo(404);
        for (int i = 0; i < 3; i++) {
            assertThat(scene.chat("authorization", "Bearer acme-key").get().statusCode())
                    .isEqualTo(200);
        }
        assertThat(scene.scheduler.questions()).as("keys are remembered").isEqualTo(4);
    }

    private static GatewaySettings limited(GatewaySettings settings, double rate) {
        return new GatewaySettings(
                settings.id(),
                settings.scheduler(),
                settings.token(),
                settings.tls(),
                settings.listen(),
                false,
                0,
                Map.of("acme", rate),
                settings.limits(),
                settings.pace(),
                settings.watch());
    }

    @Test
    void aTenantOverItsTokenRateWaits() throws Exception {
        scene.replica("job-1");
        scene.scheduler.key("k", "acme");
        scene.start(settings -> limited(settings, 0.01));

        assertThat(scene.chat("authorization", "Bearer k").get().statusCode()).isEqualTo(200);
        var refused = scene.chat("authorization", "Bearer k").get();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(Long.parseLong(refused.headers().firstValue("retry-after").orElseThrow()))
                .isGreaterThan(100);
        assertThat(scene.page("/metrics"))
                .contains("agent_admission_rejects_total{pool=\"chat\",reason=\"token_rate\"} 1");
    }

    /// A client that leaves before the end has used its tokens all the same.
    @Test
    void tokensOfACancelledAnswerCount() throws Exception {
        var finish = new CountDownLatch(1);
        scene.replica("job-1")
                .script(
                        exchange -> {
                            exchange.beginStream();
                            for (int i = 0; i < 100; i++) {
                                exchange.token("<" + i + ">");
                            }
                            finish.await(30, TimeUnit.SECONDS);
                        });
        scene.scheduler.key("k", "acme");
        scene.start(settings -> limited(settings, 5));
        try (var client = new RawClient(scene.gateway().port())) {
            client.write(
                    "POST /pools/chat/v1/chat/completions HTTP/1.1\r\nhost: x\r\n"
                            + "authorization: Bearer k\r\ncontent-length: 2\r\n\r\n{}");
            client.readUntil("<99>");
        }
        finish.countDown();
        GatewayScene.until("the tokens are reported", () -> total("output_tokens") == 100);

        assertThat(scene.chat("authorization", "Bearer k").get().statusCode()).isEqualTo(429);
    }

    @Test
    void runningAnswersEndBeforeTheGatewayStops() throws Exception {
        var finish = new CountDownLatch(1);
        scene.replica("job-1").script(waiting(finish));
        scene.start();
        var running = scene.chat();
        GatewayScene.until("it runs", () -> inFlight() == 1);
        // The gateway takes no new connection when it stops.
        var watching = new RawClient(scene.gateway().port());
        assertThat(watching.status("/health")).isEqualTo(200);

        var cut = new CompletableFuture<Integer>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                cut.complete(scene.gateway().stop(GatewayScene.PATIENCE));
                            } catch (InterruptedException e) {
                                cut.completeExceptionally(e);
                            }
                        });
        GatewayScene.until("it stops", () -> watching.status("/health") == 503);
        assertThat(cut).as("it waits for the answer").isNotDone();
        finish.countDown();

        assertThat(running.get().body()).contains("[DONE]");
        assertThat(cut.get()).isZero();
        watching.close();
    }
}
