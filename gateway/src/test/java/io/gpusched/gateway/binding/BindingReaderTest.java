package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.gateway.scheduler.SchedulerClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/// With a scripted scheduler and a scripted Prometheus.
final class BindingReaderTest {
    private static final Pace FAST =
            new Pace(
                    Duration.ofMillis(5),
                    Duration.ofSeconds(60),
                    Duration.ofMillis(5),
                    Duration.ofMillis(20),
                    Duration.ofMillis(5));
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path folder;

    private final ScriptedHttp prometheus = ScriptedHttp.of(200, depth("17"));
    private final BlockingQueue<ScriptedHttp.Request> reports = new LinkedBlockingQueue<>();
    private final AtomicReference<String> bindings = new AtomicReference<>("");
    private final AtomicInteger listStatus = new AtomicInteger(200);
    private final AtomicInteger reportStatus = new AtomicInteger(202);
    private final ScriptedHttp scheduler = new ScriptedHttp(this::scheduler);
    private final SchedulerClient client = new SchedulerClient(scheduler.uri(), "key", null);
    private final BindingReader reader = new BindingReader(client, FAST).start();

    @AfterEach
    void stop() {
        reader.close();
        client.close();
        scheduler.close();
        prometheus.close();
    }

    private ScriptedHttp.Answer scheduler(ScriptedHttp.Request request) {
        String path = "/api/v1/bindings?secrets=true&limit=1000&offset=";
        if (request.path().startsWith(path)) {
            // One binding on each page.
            int offset = Integer.parseInt(request.path().substring(path.length()));
            String[] all = bindings.get().isEmpty() ? new String[0] : bindings.get().split(";", -1);
            String page = offset < all.length ? all[offset] : "";
            return new ScriptedHttp.Answer(listStatus.get(), "{\"bindings\":[" + page + "]}");
        }
        reports.add(request);
        return new ScriptedHttp.Answer(reportStatus.get(), "{}");
    }

    private static String depth(String value) {
        return """
        {"status":"success","data":{"resultType":"scalar","result":[1,"%s"]}}
        """
                .formatted(value);
    }

    private String binding(String name, String connection) {
        return """
        {"name":"%s","pool":"chat","type":"queue","provider":"prometheus",
         "connection":"%s","queue":"up","group":null,"prefetch":10,"max_lag":100}
        """
                .formatted(name, connection);
    }

    private String url(String credentials) {
        return "http://" + credentials + "127.0.0.1:" + prometheus.port();
    }

    private void awaitMetric(String line) throws InterruptedException {
        while (!reader.metrics().contains(line)) {
            // The reader asks for the list all the time.
            scheduler.take();
        }
    }

    private static JsonNode json(ScriptedHttp.Request request) throws Exception {
        return JSON.readTree(request.body());
    }

    @Test
    void theDepthIsReportedWithItsOwnSourceAndAGrowingSequence() throws Exception {
        bindings.set(binding("orders", url("")));
        ScriptedHttp.Request first = reports.take();
        ScriptedHttp.Request second = reports.take();
        assertThat(first.method() + " " + first.path()).isEqualTo("POST /api/v1/pools/chat/load");
        assertThat(first.headers().get("Authorization")).isEqualTo("Bearer key");
        assertThat(json(first).path("source").asText()).isEqualTo("queue/orders");
        assertThat(json(first).path("queue_depth").asLong()).isEqualTo(17);
        assertThat(json(first).path("over_ms").asLong()).isEqualTo(5);
        assertThat(json(second).path("sequence").asLong())
                .isGreaterThan(json(first).path("sequence").asLong());
        awaitMetric(
                "gateway_binding_queue_depth{binding=\"orders\",pool=\"chat\","
                        + "provider=\"prometheus\"} 17\n");
        awaitMetric(up(1));
    }

    private static String up(int value) {
        return "gateway_binding_up{binding=\"orders\",pool=\"chat\",provider=\"prometheus\"} "
                + value
                + "\n";
    }

    @Test
    void aDegradedBindingReportsNothingAndRecovers() throws Exception {
        try (var outputs = new Outputs()) {
            prometheus.answer(200, depth("-4"));
            bindings.set(binding("orders", url("reader:canary@")));
            awaitMetric(up(0));
            for (String value : new String[] {"NaN", "1e300", "99999999999999999999", "x"}) {
                prometheus.answer(200, depth(value));
                prometheus.take();
                prometheus.take();
            }
            assertThat(reports).isEmpty();
            prometheus.answer(500, "canary");
            while (!outputs.text().contains("is degraded: the server answered HTTP 500")) {
                prometheus.take();
            }
            prometheus.answer(200, depth("3"));
            assertThat(json(reports.take()).path("queue_depth").asLong()).isEqualTo(3);
            awaitMetric(up(1));
            // The reader changes its metric before it logs the change.
            while (!outputs.text().contains("binding orders of pool chat is read: 3 messages")) {
                prometheus.take();
            }
            assertThat(outputs.text())
                    .contains("binding orders of pool chat is degraded")
                    .doesNotContain("canary");
            assertThat(reader.metrics()).doesNotContain("canary");
        }
    }

    @Test
    void changedBindingsAreReadAnewAndDeletedOnesNoMore() throws Exception {
        bindings.set(
                binding("hook", "canary").replace("\"queue\",\"provider", "\"webhook\",\"provider")
                        + ";"
                        + binding("orders", url(""))
                        + ";"
                        + binding("wrong", "canary"));
        awaitMetric(up(1));
        awaitMetric("gateway_binding_up{binding=\"wrong\",pool=\"chat\"");
        assertThat(reader.metrics()).doesNotContain("hook");
        bindings.set(binding("orders", "http://127.0.0.1:" + ServerProcess.freePort()));
        awaitMetric(up(0));
        assertThat(reader.metrics()).doesNotContain("wrong", "hook");
        bindings.set("");
        while (reader.metrics().contains("orders")) {
            scheduler.take();
        }
    }

    @Test
    void bindingsAreReadWhileTheSchedulerGivesNoList() throws Exception {
        bindings.set(binding("orders", url("")));
        reports.take();
        listStatus.set(500);
        prometheus.answer(200, depth("23"));
        while (json(reports.take()).path("queue_depth").asLong() != 23) {
            // Readings of before.
            prometheus.take();
        }
    }

    @Test
    void reportsThatTheSchedulerDoesNotTakeDegradeTheBinding() throws Exception {
        try (var outputs = new Outputs()) {
            reportStatus.set(404);
            bindings.set(binding("orders", url("")));
            awaitMetric(up(0));
            while (!outputs.text().contains("the scheduler knows no such pool")) {
                reports.take();
            }
            reportStatus.set(403);
            while (!outputs.text().contains("the scheduler refused the token")) {
                reports.take();
            }
            reportStatus.set(202);
            awaitMetric(up(1));
        }
    }

    @Test
    void aConnectionMayBeInAFileAndHiddenOnesAreNamed() throws Exception {
        Path file = folder.resolve("connection");
        try (var outputs = new Outputs()) {
            bindings.set(binding("orders", "***"));
            while (!outputs.text().contains("degraded: the connection is empty")) {
                scheduler.take();
            }
            bindings.set(binding("orders", "file:" + file));
            while (!outputs.text().contains("the file of the connection is missing")) {
                scheduler.take();
            }
            Files.writeString(file, url("reader:canary@") + "\n");
            assertThat(json(reports.take()).path("queue_depth").asLong()).isEqualTo(17);
            assertThat(outputs.text()).doesNotContain("canary");
        }
    }
}
