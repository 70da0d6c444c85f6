package io.gpusched.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.gateway.proxy.ProxyLimits;
import io.gpusched.gateway.scrape.ReplicaWatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// Replicas that fail before, within and instead of an answer.
final class FailureTest {
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

    static Stream<Arguments> failuresBeforeTheAnswer() {
        return Stream.of(
                failure("reset", ScriptedReplica.crashing()),
                failure("closed", exchange -> exchange.socket().close()),
                failure("500", exchange -> exchange.json(500, "{}")),
                failure("503", exchange -> exchange.json(503, "{}")),
                failure("overloaded", exchange -> exchange.json(429, "{}")),
                failure(
                        "crash after the head",
                        exchange -> {
                            exchange.beginStream();
                            exchange.socket().close();
                        }),
                failure(
                        "lenient framing",
                        exchange ->
                                exchange.write(
                                        """
                                        HTTP/1.1 200 OK\r
                                        transfer-encoding: chunked\r
                                        \r
                                        2
                                        ab
                                        0

                                        """)),
                failure("garbage", exchange -> exchange.write("\u0000\u0001 no http\r\n\r\n")),
                failure(
                        "endless head",
                        exchange -> {
                            while (true) {
                                exchange.write("x-header: " + "a".repeat(1000) + "\r\n");
                            }
                        }));
    }

    private static Arguments failure(String name, ScriptedReplica.Script script) {
        return Arguments.of(name, script);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failuresBeforeTheAnswer")
    void aRequestThatIsNotAnsweredGoesToAnotherReplica(String name, ScriptedReplica.Script script)
            throws Exception {
        scene.replica("job-1").script(script);
        scene.replica("job-2");
        scene.start();

        HttpResponse<String> answer = scene.chat().get();

        assertThat(answer.statusCode()).as(name).isEqualTo(200);
        assertThat(GatewayScene.servedBy(answer)).isEqualTo("job-2");
        assertThat(answer.body()).contains("hello").contains("[DONE]");
        assertThat(scene.page("/metrics")).contains("gateway_retries_total{pool=\"chat\"} 1\n");
    }

    @Test
    void aReplicaThatTakesNoConnectionIsPassedOver() throws Exception {
        scene.replica("job-1").close();
        scene.replica("job-2");
        scene.start();

        for (int i = 0; i < 5; i++) {
            assertThat(GatewayScene.servedBy(scene.chat().get())).isEqualTo("job-2");
        }
    }

    @Test
    void anErrorOfTheOnlyReplicaIsPassedOn() throws Exception {
        scene.replica("job-1").script(exchange -> exchange.json(500, "{\"error\":\"my own\"}"));
        scene.start();

        HttpResponse<String> answer = scene.chat().get();

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).isEqualTo("{\"error\":\"my own\"}");
        assertThat(scene.page("/metrics"))
                .contains("gateway_answers_total{pool=\"chat\"} 1\n")
                .contains("gateway_answers_within_slo_total{pool=\"chat\"} 0\n");
    }

    @Test
    void aRequestThatIsGivenUpMeetsNoObjective() throws Exception {
        scene.replica("job-1").script(ScriptedReplica.crashing());
        scene.start(
                settings -> {
                    ProxyLimits limits = settings.limits();
                    return GatewayScene.with(
                            settings,
                            new ProxyLimits(
                                    limits.bodyBytes(),
                                    limits.bufferedBytes(),
                                    limits.connections(),
                                    limits.heldRequests(),
                                    limits.hold(),
                                    limits.replicaRequests(),
                                    0,
                                    limits.timeouts()));
                });

        assertThat(scene.chat().get().statusCode()).isEqualTo(502);
        assertThat(scene.page("/metrics"))
                .contains("gateway_answers_total{pool=\"chat\"} 1\n")
                .contains("gateway_answers_within_slo_total{pool=\"chat\"} 0\n");
    }

    @Test
    void aRequestOfACrashedPoolWaitsForTheNextReplica() throws Exception {
        ScriptedReplica only = scene.replica("job-1");
        only.script(
                exchange -> {
                    only.close();
                });
        scene.start();
        var answer = scene.chat();
        GatewayScene.until("it was tried", () -> only.requests().size() == 1);

        scene.scheduler.forget("chat", "job-1");
        scene.replica("job-2", "starting");

        assertThat(GatewayScene.servedBy(answer.get())).isEqualTo("job-2");
    }

    @Test
    void anAnswerThatHasBegunIsNeverTriedAgain() throws Exception {
        ScriptedReplica.Script cut =
                exchange -> {
                    exchange.beginStream();
                    exchange.token("half");
                    exchange.socket().close();
                };
        ScriptedReplica first = scene.replica("job-1").script(cut);
        ScriptedReplica second = scene.replica("job-2").script(cut);
        scene.start();

        CompletableFuture<HttpResponse<String>> answer = scene.chat();

        assertThat(answer)
                .as("the client sees that the answer is not whole")
                .failsWithin(GatewayScene.PATIENCE);
        assertThat(first.requests().size() + second.requests().size()).isEqualTo(1);
        assertThat(scene.page("/metrics"))
                .contains("gateway_broken_answers_total{pool=\"chat\"} 1\n")
                .contains("gateway_answers_total{pool=\"chat\"} 1\n")
                .contains("gateway_answers_within_slo_total{pool=\"chat\"} 0\n")
                .contains("agent_output_tokens_total{pool=\"chat\"} 1\n")
                .contains("gateway_retries_total{pool=\"chat\"} 0\n");
    }

    /// A replica that hangs with one request.
    private ScriptedReplica hanging(CountDownLatch end) throws IOException {
        return scene.replica("job-1").script(exchange -> end.await(30, TimeUnit.SECONDS));
    }

    @Test
    void requestsLeaveAReplicaThatHangs() throws Exception {
        var end = new CountDownLatch(1);
        ScriptedReplica hanging = hanging(end);
        scene.start();
        var answer = scene.chat();
        GatewayScene.until("it hangs", () -> hanging.requests().size() == 1);

        scene.replica("job-2");
        hanging.healthy(false);

        assertThat(GatewayScene.servedBy(answer.get())).isEqualTo("job-2");
        end.countDown();
    }

    /// The refused connection of a new request makes the replica unready before probes have failed.
    @Test
    void requestsLeaveAReplicaThatHangsWhileNewOnesCome() throws Exception {
        var end = new CountDownLatch(1);
        ScriptedReplica hanging = hanging(end);
        var slow =
                new ReplicaWatch.Pace(
                        Duration.ofMillis(300), Duration.ofMinutes(1), GatewayScene.PATIENCE);
        scene.start(settings -> GatewayScene.with(settings, slow));
        var first = scene.chat();
        GatewayScene.until("it hangs", () -> hanging.requests().size() == 1);

        hanging.refuse();
        var second = scene.chat();
        GatewayScene.until("it was refused", () -> scene.text("/status").contains("\"held\" : 1"));
        scene.replica("job-2");

        assertThat(GatewayScene.servedBy(first.get())).isEqualTo("job-2");
        assertThat(GatewayScene.servedBy(second.get())).isEqualTo("job-2");
        end.countDown();
    }

    @Test
    void requestsLeaveAReplicaThatHangsWhileItIsDrained() throws Exception {
        var end = new CountDownLatch(1);
        ScriptedReplica hanging = hanging(end);
        scene.start();
        var answer = scene.chat();
        GatewayScene.until("it hangs", () -> hanging.requests().size() == 1);

        scene.scheduler.replica("chat", "job-1", "draining", hanging.port());
        GatewayScene.until("the gateway knows", () -> scene.text("/status").contains("draining"));
        hanging.healthy(false);
        scene.replica("job-2");

        assertThat(GatewayScene.servedBy(answer.get())).isEqualTo("job-2");
        end.countDown();
    }

    @Test
    void requestsLeaveAReplicaThatTheSchedulerNoLongerLists() throws Exception {
        var end = new CountDownLatch(1);
        ScriptedReplica hanging = hanging(end);
        scene.start();
        var answer = scene.chat();
        GatewayScene.until("it hangs", () -> hanging.requests().size() == 1);

        scene.scheduler.forget("chat", "job-1");
        scene.replica("job-2");

        assertThat(GatewayScene.servedBy(answer.get())).isEqualTo("job-2");
        end.countDown();
    }

    @Test
    void requestsOfADeletedPoolAreRefused() throws Exception {
        var end = new CountDownLatch(1);
        ScriptedReplica hanging = hanging(end);
        scene.start(
                settings ->
                        GatewayScene.with(
                                settings, GatewayScene.limits(2, Duration.ofMinutes(5), 1)));
        var sent = scene.chat();
        GatewayScene.until("it hangs", () -> hanging.requests().size() == 1);
        var waiting = scene.chat();
        GatewayScene.until("one waits", () -> scene.text("/status").contains("\"held\" : 1"));

        scene.scheduler.delete("chat");

        assertThat(sent.get().statusCode()).isEqualTo(503);
        assertThat(waiting.get().body()).contains("pool chat was deleted");
        end.countDown();
    }

    @Test
    void aConnectionThatTheReplicaClosedIsNoFailure() throws Exception {
        ScriptedReplica replica = scene.replica("job-1");
        replica.script(
                exchange -> {
                    ScriptedReplica.streaming("a").play(exchange);
                    exchange.socket().close();
                });
        scene.start();

        for (int i = 0; i < 20; i++) {
            assertThat(scene.chat().get().statusCode()).isEqualTo(200);
        }
        assertThat(replica.requests()).hasSize(20);
    }

    @Test
    void anAnswerThatEndsWithItsConnectionIsWhole() throws Exception {
        scene.replica("job-1")
                .script(
                        exchange -> {
                            exchange.write("HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\n");
                            exchange.write("all of it");
                            exchange.socket().close();
                        });
        scene.start();

        assertThat(scene.chat().get().body()).isEqualTo("all of it");
    }

    /// Replicas come, are drained, crash and are replaced while clients ask without a pause.
    @Test
    void noRequestIsLostWhileReplicasStopAndCrash() throws Exception {
        for (int i = 0; i < 3; i++) {
            scene.replica("job-" + i);
        }
        scene.start();
        var stop = new CountDownLatch(1);
        var clients = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < 8; i++) {
            clients.add(CompletableFuture.supplyAsync(() -> askUntil(stop)));
        }
        for (int round = 3; round < 15; round++) {
            String oldest = "job-" + (round - 3);
            ScriptedReplica next = scene.replica("job-" + round, "starting");
            GatewayScene.until("the next one serves", () -> !next.requests().isEmpty());
            if (round % 2 == 0) {
                crash(round - 3);
            } else {
                scene.scheduler.replica("chat", oldest, "draining", scene.portOf(round - 3));
                GatewayScene.until("it is empty", () -> isEmpty(oldest));
                crash(round - 3);
            }
            scene.scheduler.forget("chat", oldest);
        }
        stop.countDown();

        int answered = 0;
        for (CompletableFuture<Integer> client : clients) {
            answered += client.get();
        }
        assertThat(answered).isGreaterThan(8);
        GatewayScene.until(
                "no replica is believed to have a request",
                () -> scene.text("/metrics").contains("gateway_in_flight{pool=\"chat\"} 0\n"));
        assertThat(scene.page("/metrics")).contains("agent_queue_depth{pool=\"chat\"} 0\n");
    }

    private void crash(int replica) throws IOException {
        scene.replicaAt(replica).close();
    }

    private boolean isEmpty(String job) {
        for (var each : scene.scheduler.last().path("replicas")) {
            if (each.path("job_id").asText().equals(job)) {
                return !each.path("ready").asBoolean(true)
                        && each.path("running").asLong() == 0
                        && each.path("waiting").asLong() == 0;
            }
        }
        return false;
    }

    /// Every answer must be whole, or its connection must have been cut within the answer: then the
    /// replica had begun to answer.
    private int askUntil(CountDownLatch stop) {
        int answered = 0;
        while (stop.getCount() > 0) {
            try {
                HttpResponse<String> answer = scene.chat().get();
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("hello").contains("[DONE]");
                answered++;
            } catch (Exception e) {
                assertThat(e).rootCause().isInstanceOf(IOException.class);
                assertThat(e.getMessage()).doesNotContain("received no bytes");
            }
        }
        return answered;
    }

    @Test
    void aClientThatLeavesCancelsItsRequest() throws Exception {
        var gone = new CountDownLatch(1);
        scene.replica("job-1")
                .script(
                        exchange -> {
                            exchange.beginStream();
                            exchange.token("a");
                            if (exchange.socket().getInputStream().read() < 0) {
                                gone.countDown();
                            }
                        });
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.post("/pools/chat/v1/chat/completions", GatewayScene.CHAT);
            client.readUntil("\"a\"");
        }

        assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
        GatewayScene.until(
                "it is counted",
                () ->
                        scene.text("/metrics")
                                .contains("gateway_disconnects_total{pool=\"chat\"} 1\n"));
        GatewayScene.until(
                "the replica has no request left",
                () -> scene.text("/metrics").contains("gateway_in_flight{pool=\"chat\"} 0\n"));
    }

    @Test
    void aClientThatLeavesIsNoLongerHeld() throws Exception {
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.post("/pools/chat/v1/chat/completions", GatewayScene.CHAT);
            GatewayScene.until(
                    "it waits",
                    () -> scene.text("/metrics").contains("agent_queue_depth{pool=\"chat\"} 1\n"));
        }
        GatewayScene.until(
                "it no longer waits",
                () -> scene.text("/metrics").contains("agent_queue_depth{pool=\"chat\"} 0\n"));
    }

    /// 64 MB pass through a client that reads nothing at first. The gateway must not keep them.
    @Test
    void aSlowClientSlowsItsReplicaDown() throws Exception {
        String word = "x".repeat(64 * 1024);
        int words = 1_000;
        var sent = new AtomicInteger();
        scene.replica("job-1")
                .script(
                        exchange -> {
                            exchange.beginStream();
                            for (int i = 0; i < words; i++) {
                                exchange.token(word);
                                sent.incrementAndGet();
                            }
                            exchange.endStream();
                        });
        scene.start();
        try (var client = new RawClient(scene.gateway().port())) {
            client.post("/pools/chat/v1/chat/completions", GatewayScene.CHAT);
            client.readUntil("200 OK");
            // Another client is served meanwhile, and the replica is stopped short.
            assertThat(scene.page("/health")).contains("healthy");
            GatewayScene.untilSteady(sent::get);
            assertThat(sent.get()).isLessThan(words);
            assertThat(client.readUntil("[DONE]")).isGreaterThan(64_000_000L);
        }
    }
}
