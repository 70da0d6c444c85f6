package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertBook;
import io.gpusched.server.alert.AlertFile;
import io.gpusched.server.alert.AlertSubject;
import io.gpusched.server.alert.Finding;
import io.gpusched.server.alert.Severity;
import io.gpusched.server.config.AlertName;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Alerts over REST, raised by a real server about fake nodes.
@Timeout(120)
final class AlertRestTest {
    private static final String ALERTS = "/api/v1/alerts";

    @TempDir Path dataDir;

    private static Map<String, String> quick(String... more) {
        var environment = new HashMap<String, String>();
        environment.put("GPU_SCHEDULER_ALERTS_INTERVAL_SECONDS", "1");
        environment.put("GPU_SCHEDULER_ALERTS_RESOLVE_SECONDS", "0");
        environment.put("GPU_SCHEDULER_ALERTS_NODE_LOST_FOR_SECONDS", "0");
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private static JsonNode firing(Running rest) {
        return rest.get(ALERTS + "?state=firing").json().get("alerts");
    }

    @Test
    void aLostNodeFiresAndResolvesWhenItIsBack() {
        try (Running rest = Running.in(dataDir, quick())) {
            var nodes = new FakeNodes(rest.server()).join("node-1", 4);
            assertThat(rest.get(ALERTS).text())
                    .startsWith("{\"alerts\":[],\"total\":0,\"suppressed\":0,\"conditions\":[{");
            nodes.silence("node-1");
            nodes.lose("node-1");
            Soon.that("an alert", () -> firing(rest).size() == 1);

            JsonNode alert = firing(rest).get(0);
            assertThat(alert.get("name").asText()).isEqualTo("NodeLost");
            assertThat(alert.get("severity").asText()).isEqualTo("critical");
            assertThat(alert.get("node_id").asText()).isEqualTo("node-1");
            assertThat(alert.get("tenant_id").isNull()).isTrue();
            assertThat(alert.get("message").asText()).contains("node-1").contains("4 GPUs");
            assertThat(alert.get("remedy").asText()).contains("gpu-cli delete-node node-1");

            nodes.join("node-1", 4);
            Soon.that("no alert", () -> firing(rest).isEmpty());
            JsonNode all = rest.get(ALERTS).json();
            assertThat(all.get("total").asInt()).isEqualTo(1);
            assertThat(all.get("alerts").get(0).get("state").asText()).isEqualTo("resolved");
            assertThat(all.get("alerts").get(0).get("resolved_at").isTextual()).isTrue();

            String events = "/api/v1/events?kind=alert,alert_resolved";
            Soon.that("two events", () -> rest.get(events).json().get("total").asInt() == 2);
            JsonNode news = rest.get(events).json();
            assertThat(news.get("events"))
                    .extracting(event -> event.get("kind").asText())
                    .containsExactly("alert", "alert_resolved");
            assertThat(news.at("/events/0/subject").asText()).isEqualTo("alert");
            assertThat(news.at("/events/0/node_id").asText()).isEqualTo("node-1");
        }
    }

    @Test
    void aRestartGoesOnWithTheSameAlert() {
        JsonNode before;
        try (Running rest = Running.in(dataDir, quick())) {
            var nodes = new FakeNodes(rest.server()).join("node-1", 4);
            nodes.silence("node-1");
            nodes.lose("node-1");
            Soon.that("an alert", () -> firing(rest).size() == 1);
            before = firing(rest).get(0);
        }
        try (Running rest = Running.in(dataDir, quick())) {
            assertThat(firing(rest).size()).isEqualTo(1);
            JsonNode after = firing(rest).get(0);
            assertThat(after.get("id")).isEqualTo(before.get("id"));
            assertThat(after.get("since")).isEqualTo(before.get("since"));
        }
    }

    /// Starts with the alerts that an earlier server left: two of tenants and one of a node.
    @Test
    void aTenantSeesOnlyAlertsAboutItself() {
        var since = Instant.parse("2026-01-01T00:00:00Z");
        new AlertFile(dataDir)
                .write(
                        new AlertBook.Image(
                                3,
                                List.of(
                                        alert(1, pending("a", 7), since),
                                        alert(2, pending("b", 8), since),
                                        alert(3, AlertSubject.of(new NodeId("node-1")), since)),
                                List.of()));
        try (Running rest =
                Running.in(
                        dataDir,
                        quick(
                                "GPU_SCHEDULER_AUTH_ENABLED", "true",
                                "GPU_SCHEDULER_ALERTS_RESOLVE_SECONDS", "3600"))) {
            rest.asAdmin();
            assertThat(firing(rest).size()).isEqualTo(3);
            rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"a\"}");
            String token = rest.post("/api/v1/tenants/a/tokens", "{}").field("token");

            rest.as(token);
            JsonNode own = rest.get(ALERTS).json();
            assertThat(own.get("total").asInt()).isEqualTo(1);
            assertThat(own.get("alerts").get(0).get("job_id").asText()).isEqualTo("job-7");
            assertThat(own.toString()).doesNotContain("job-8").doesNotContain("node-1");
            assertThat(rest.post(ALERTS + "/alert-1/silence", "{}").status()).isEqualTo(403);
            assertThat(rest.post(ALERTS + "/test", "").status()).isEqualTo(403);
            rest.as("");
            assertThat(rest.get(ALERTS).status()).isEqualTo(401);
        }
    }

    @Test
    void theListTellsEverybodyWhatIsWatched() {
        try (Running rest =
                Running.in(
                        dataDir,
                        quick(
                                "GPU_SCHEDULER_AUTH_ENABLED", "true",
                                "GPU_SCHEDULER_ALERTS_PENDING_TOO_LONG_MINUTES", "90",
                                "GPU_SCHEDULER_ALERTS_HOT_GPUS_ENABLED", "false"))) {
            rest.asAdmin();
            rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"a\"}");
            rest.as(rest.post("/api/v1/tenants/a/tokens", "{}").field("token"));

            JsonNode conditions = rest.get(ALERTS).json().get("conditions");
            assertThat(conditions)
                    .extracting(one -> one.get("name").asText())
                    .containsExactlyElementsOf(
                            Stream.of(AlertName.values()).map(AlertName::shown).toList());
            assertThat(conditions.get(0).toString())
                    .isEqualTo(
                            "{\"name\":\"PendingTooLong\",\"enabled\":true,\"threshold\":5400,"
                                + "\"for_seconds\":60,\"setting\":\"alerts.pending_too_long\"}");
            assertThat(conditions.get(4).toString())
                    .isEqualTo(
                            "{\"name\":\"NodeLost\",\"enabled\":true,\"threshold\":null,"
                                    + "\"for_seconds\":0,\"setting\":\"alerts.node_lost\"}");
            assertThat(conditions.get(6).toString())
                    .isEqualTo(
                            "{\"name\":\"HotGpus\",\"enabled\":false,\"threshold\":1,"
                                    + "\"for_seconds\":300,\"setting\":\"alerts.hot_gpus\"}");
        }
    }

    private static AlertSubject pending(String tenant, long job) {
        return AlertSubject.of(new TenantId(tenant), new JobId(job));
    }

    private static Alert alert(long number, AlertSubject subject, Instant since) {
        var finding =
                new Finding(
                        subject,
                        Finding.Level.EXCEEDED,
                        Severity.WARNING,
                        2,
                        1,
                        "about " + subject.key(),
                        "gpu-cli explain");
        return new Alert(number, AlertName.PENDING_TOO_LONG, finding, since, null, null, Map.of());
    }

    @Test
    void anAdministratorSilencesAnAlert() {
        try (Running rest = Running.in(dataDir, quick())) {
            var nodes = new FakeNodes(rest.server()).join("node-1", 4);
            nodes.silence("node-1");
            nodes.lose("node-1");
            Soon.that("an alert", () -> firing(rest).size() == 1);
            String path = ALERTS + "/" + firing(rest).get(0).get("id").asText() + "/silence";

            var silenced = rest.post(path, "{\"minutes\":30,\"reason\":\"new board\"}");
            assertThat(silenced.status()).isEqualTo(200);
            assertThat(silenced.field("silence_reason")).isEqualTo("new board");
            assertThat(silenced.json().get("silenced_until").isTextual()).isTrue();
            assertThat(rest.delete(path).json().get("silenced_until").isNull()).isTrue();
        }
    }

    @Test
    void aTestOfTheWebhooksNamesNoAddress() {
        String webhook = "{name: pager, url: \"http://127.0.0.1:1/s3cret\", secret: s3cret}";
        try (Running rest = Running.in(dataDir, quick("GPU_SCHEDULER_ALERTS_WEBHOOKS", webhook))) {
            assertThat(rest.post(ALERTS + "/test", "").text())
                    .isEqualTo(
                            "{\"webhooks\":[{\"name\":\"pager\",\"delivered\":false,\"status\":null,\"error\":\"no"
                                + " connection\"}],\"total\":1}\n");
        }
    }

    @Test
    void wrongRequestsAreToldWhatIsExpected() {
        try (Running rest = Running.in(dataDir, quick())) {
            var state = rest.get(ALERTS + "?state=loud");
            assertThat(state.status()).isEqualTo(400);
            assertThat(state.text()).contains("write firing or resolved");
            var unknown = rest.post(ALERTS + "/alert-9/silence", "{}");
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.field("code")).isEqualTo("unknown_alert");
            var minutes = rest.post(ALERTS + "/alert-9/silence", "{\"minutes\":0}");
            assertThat(minutes.status()).isEqualTo(400);
            assertThat(minutes.field("field")).isEqualTo("minutes");
            assertThat(rest.post(ALERTS + "/test", "").text())
                    .isEqualTo("{\"webhooks\":[],\"total\":0}\n");
        }
    }
}
