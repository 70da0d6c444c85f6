package io.gpusched.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Metrics of replicas, and the metrics of the gateway itself.
final class ScrapeTest {
    private static final String READING =
            """
            vllm:num_requests_running 3
            vllm:num_requests_waiting 2
            vllm:kv_cache_usage_perc 0.41
            """;

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
    void theReplicasOwnMetricsAreReported() throws Exception {
        scene.replica("job-1").metrics(exchange -> exchange.json(200, READING));
        scene.start();

        GatewayScene.until("it is reported", () -> only().path("kv").asDouble() == 0.41);

        assertThat(scene.page("/status")).doesNotContain("degraded");
    }

    private JsonNode only() {
        return only("gw-1");
    }

    /// The only replica in the newest report of a gateway.
    private JsonNode only(String source) {
        return scene.scheduler.reports().reversed().stream()
                .map(ScriptedScheduler.Report::json)
                .filter(report -> report.path("source").asText().equals(source))
                .findFirst()
                .orElseGet(ScriptedScheduler.JSON::createObjectNode)
                .path("replicas")
                .path(0);
    }

    /// The scheduler adds up what gateways report, and both read the same metrics.
    @Test
    void twoGatewaysReportEachRequestOnce() throws Exception {
        var end = new CountDownLatch(1);
        scene.replica("job-1")
                .metrics(exchange -> exchange.json(200, READING))
                .script(
                        exchange -> {
                            exchange.beginStream();
                            exchange.token("a");
                            end.await(30, TimeUnit.SECONDS);
                            exchange.endStream();
                        });
        scene.start();
        try (var second = new Gateway(other(GatewayScene.settings(scene.scheduler.uri())))) {
            second.start();
            var answer = scene.chat();
            GatewayScene.until("the request is reported", () -> requests("gw-1") == 1);
            GatewayScene.until("both know of the cache", () -> only("gw-2").has("kv"));

            assertThat(requests("gw-1") + requests("gw-2")).isEqualTo(1);
            assertThat(only("gw-1").path("kv").asDouble()).isEqualTo(0.41);
            assertThat(only("gw-2").path("kv").asDouble()).isEqualTo(0.41);
            end.countDown();
            assertThat(answer.get().statusCode()).isEqualTo(200);
        }
    }

    private long requests(String source) {
        JsonNode replica = only(source);
        return replica.path("running").asLong() + replica.path("waiting").asLong();
    }

    private static GatewaySettings other(GatewaySettings settings) {
        return new GatewaySettings(
                "gw-2",
                settings.scheduler(),
                settings.token(),
                settings.tls(),
                settings.listen(),
                settings.open(),
                settings.tenantRate(),
                settings.tenantRates(),
                settings.limits(),
                settings.pace(),
                settings.watch());
    }

    @Test
    void garbageIsADegradedStateAndNeverANumber() throws Exception {
        ScriptedReplica replica =
                scene.replica("job-1").metrics(exchange -> exchange.json(200, READING));
        scene.start();
        GatewayScene.until("it is read", () -> only().has("kv"));

        replica.metrics(exchange -> exchange.json(200, "vllm:num_requests_running lots\n"));

        GatewayScene.until("it is degraded", () -> scene.text("/status").contains("not a number"));
        GatewayScene.until("the old number is gone", () -> !only().has("kv"));
        assertThat(only().path("running").asInt()).isZero();
        assertThat(scene.page("/metrics"))
                .contains("gateway_scrape_failed{pool=\"chat\",replica=\"job-1\"} 1");
        assertThat(scene.chat().get().statusCode()).as("it still serves").isEqualTo(200);

        replica.metrics(exchange -> exchange.json(200, READING));
        GatewayScene.until("it is read again", () -> only().has("kv"));
        assertThat(scene.page("/status")).doesNotContain("degraded");
    }

    /// The scheduler refuses a whole report for one figure out of its bounds.
    @Test
    void aFigureThatCannotBeReportedIsADegradedState() throws Exception {
        scene.replica("job-1")
                .metrics(exchange -> exchange.json(200, "vllm:num_requests_waiting 1e12\n"));
        scene.start();

        GatewayScene.until(
                "it is degraded", () -> scene.text("/status").contains("expected at most"));
        assertThat(only().path("waiting").asLong()).isZero();
    }

    @Test
    void anEndlessPageIsCutOff() throws Exception {
        scene.replica("job-1")
                .metrics(
                        exchange -> {
                            exchange.beginStream();
                            String comment = "# " + "x".repeat(10_000) + "\n";
                            while (true) {
                                exchange.event(comment);
                            }
                        });
        scene.start();

        GatewayScene.until("it is degraded", () -> scene.text("/status").contains("longer than"));
    }

    @Test
    void aPageThatNeverComesIsGivenUp() throws Exception {
        var end = new CountDownLatch(1);
        scene.replica("job-1")
                .metrics(
                        exchange -> {
                            exchange.beginStream();
                            end.await(30, TimeUnit.SECONDS);
                        });
        scene.start();

        GatewayScene.until(
                "it is degraded", () -> scene.text("/status").contains("no whole answer"));
        assertThat(scene.chat().get().statusCode()).isEqualTo(200);
        end.countDown();
    }

    @Test
    void theGuideNamesEveryMetric() throws Exception {
        scene.replica("job-1");
        scene.start();
        scene.chat().get();
        String guide = Files.readString(Path.of("../docs/guide/monitoring.md"));
        String page = scene.page("/metrics");

        assertThat(page.lines().filter(line -> line.startsWith("# TYPE ")).count())
                .isGreaterThan(20);
        page.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .forEach(line -> assertThat(guide).contains("`" + line.split(" ")[2]));
        assertThat(page)
                .contains("gateway_requests_total{pool=\"chat\",code=\"200\"} 1\n")
                .contains("agent_ttft_ms_count{pool=\"chat\"} 1\n")
                .contains("agent_ttft_ms_bucket{pool=\"chat\",le=\"+Inf\"} 1\n")
                .contains("neuronetes_ttft_seconds_count{pool=\"chat\"} 1\n")
                .contains("agent_output_tokens_total{pool=\"chat\"} 2\n")
                .contains("agent_tokens_out_per_s{pool=\"chat\"} 0.033333\n")
                .contains("gateway_replicas_ready{pool=\"chat\"} 1\n");
    }
}
