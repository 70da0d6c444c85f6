package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;

import io.gpusched.operator.KubeYaml;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import javax.net.ssl.SSLContext;

final class RestGpuScorerTest {
    private static final ObjectNode QUESTION = KubeYaml.object("job_type: bert");

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch silence = new CountDownLatch(1);
    private HttpServer scheduler;
    private RestGpuScorer scorer;
    private int status = 200;

    @BeforeEach
    void startAScheduler() throws Exception {
        scheduler =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        scheduler.createContext(
                "/v1/score",
                exchange -> {
                    try (exchange) {
                        String body =
                                new String(
                                        exchange.getRequestBody().readAllBytes(),
                                        StandardCharsets.UTF_8);
                        heard.add(exchange.getRequestHeaders().getFirst("Authorization") + body);
                        if (status == 0) {
                            silence.await();
                        }
                        byte[] answer = "{\"priority_score\": 50}".getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(status, answer.length);
                        exchange.getResponseBody().write(answer);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        scheduler.start();
        scorer =
                new RestGpuScorer(
                        URI.create("http://127.0.0.1:" + scheduler.getAddress().getPort()),
                        SSLContext.getDefault(),
                        () -> "secret",
                        Duration.ofMillis(500));
    }

    @AfterEach
    void stop() {
        silence.countDown();
        scorer.close();
        scheduler.stop(0);
    }

    @Test
    void theSchedulerIsAskedWithTheToken() throws Exception {
        assertThat(scorer.score(QUESTION)).isEqualTo(KubeYaml.object("priority_score: 50"));
        assertThat(heard.take()).isEqualTo("Bearer secret{\"job_type\":\"bert\"}");
        assertThat(scorer.isConnected()).isTrue();
    }

    @Test
    void aRefusalIsAFailureOfASchedulerThatIsThere() {
        status = 400;

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> scorer.score(QUESTION))
                .withMessage("the scheduler answered 400: {\"priority_score\": 50}");
        assertThat(scorer.isConnected()).isTrue();
    }

    @Test
    void anAnswerThatDoesNotComeIsNotAwaitedForLong() {
        status = 0;

        assertThatExceptionOfType(HttpTimeoutException.class)
                .isThrownBy(() -> scorer.score(QUESTION));
        assertThat(scorer.isConnected()).isFalse();
    }
}
