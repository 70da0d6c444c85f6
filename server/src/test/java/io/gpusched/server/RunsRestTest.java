package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/// The runs of a span of time, before and after the tables contain them.
@Timeout(60)
final class RunsRestTest {
    @TempDir Path temp;

    private @Nullable Running running;

    @AfterEach
    void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void everyRunIsShownOnceHoweverItEnded() {
        Running rest = start(Map.of());
        var nodes = new FakeNodes(rest.server()).join("n1", 4);
        String completed = rest.submit("{\"name\":\"one\",\"gpu_count\":2}");
        nodes.run(completed);
        nodes.end(completed, 0);
        String failed = rest.submit("{\"gpu_count\":1}");
        nodes.run(failed);
        nodes.end(failed, 1);
        String cancelled = rest.submit("{\"gpu_count\":1}");
        nodes.run(cancelled);
        rest.delete("/api/v1/jobs/" + cancelled);
        nodes.end(cancelled, 143);
        String drained = rest.submit("{\"gpu_count\":1}");
        nodes.run(drained);
        rest.post("/api/v1/nodes/n1/drain", "{\"stop\":true}");
        nodes.end(drained, 143);
        rest.post("/api/v1/nodes/n1/uncordon", "");
        nodes.run(drained);

        String kinds = "completed failed cancelled requeued running";
        assertThat(kinds(rest)).as("at once").isEqualTo(kinds);
        JsonNode first = runs(rest, "").get(0);
        assertThat(first.get("job_id").asText()).isEqualTo(completed);
        assertThat(first.get("attempt").asInt()).isEqualTo(1);
        assertThat(first.get("name").asText()).isEqualTo("one");
        assertThat(first.get("tenant_id").asText()).isEqualTo("default");
        assertThat(first.get("node_id").asText()).isEqualTo("n1");
        assertThat(first.get("gpus").toString()).isEqualTo("[0,1]");
        assertThat(Instant.parse(first.get("start").asText()))
                .isBeforeOrEqualTo(Instant.parse(first.get("end").asText()));
        JsonNode last = runs(rest, "").get(4);
        assertThat(last.get("attempt").asInt()).isEqualTo(2);
        assertThat(last.get("end").isNull()).isTrue();

        rest.close();
        Running again = start(Map.of());
        Soon.that("from the tables", () -> kinds(again).equals(kinds));
        assertThat(runs(again, "&node=n1")).hasSize(5);
        assertThat(runs(again, "&node=n2")).isEmpty();
        assertThat(runs(again, "&tenant=default")).hasSize(5);
        assertThat(runs(again, "&tenant=other")).isEmpty();
    }

    @Test
    void aGangHasOneEntryPerNode() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 2).join("n2", 2);
        rest.submit("{\"gpu_count\":4,\"tasks\":4,\"gang_scheduling\":true}");
        JsonNode runs = runs(rest, "");
        assertThat(runs).hasSize(2);
        assertThat(runs.findValuesAsText("node_id")).containsExactlyInAnyOrder("n1", "n2");
        assertThat(runs.get(0).get("gpus")).hasSize(2);
    }

    @Test
    void aLimitKeepsTheNewestAndSaysSo() {
        Running rest = start(Map.of());
        var nodes = new FakeNodes(rest.server()).join("n1", 4);
        for (int i = 0; i < 5; i++) {
            String job = rest.submit("{\"gpu_count\":1}");
            nodes.run(job);
            nodes.end(job, 0);
        }
        rest.submit("{\"gpu_count\":1}");
        JsonNode page = rest.get("/api/v1/runs?limit=2").json();
        assertThat(page.get("truncated").asBoolean()).isTrue();
        assertThat(page.get("runs").findValuesAsText("job_id")).containsExactly("job-5", "job-6");
        assertThat(rest.get("/api/v1/runs?limit=6").json().get("truncated").asBoolean()).isFalse();
    }

    @Test
    void runsOutsideOfTheWindowAreLeftOut() {
        Running rest = start(Map.of());
        new FakeNodes(rest.server()).join("n1", 4);
        rest.submit("{}");
        assertThat(runs(rest, "&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).isEmpty();
        assertThat(runs(rest, "&from=2020-01-01T00:00:00Z&to=9999-01-02T00:00:00Z")).hasSize(1);
        assertThat(runs(rest, "&from=-999999999-01-01T00:00:00Z&to=%2B999999999-12-31T23:59:59Z"))
                .hasSize(1);
    }

    @Test
    void aTenantSeesThatOthersRanButNotWhat() {
        Running rest = start(Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true")).asAdmin();
        var nodes = new FakeNodes(rest.server()).join("n1", 4);
        for (String tenant : new String[] {"research", "secret"}) {
            rest.post(
                    "/api/v1/tenants", "{\"id\":\"%s\",\"name\":\"%s\"}".formatted(tenant, tenant));
        }
        rest.submit("{\"name\":\"mine\",\"tenant_id\":\"research\"}");
        String other = rest.submit("{\"name\":\"theirs\",\"tenant_id\":\"secret\"}");
        nodes.run(other);
        nodes.end(other, 1);
        rest.as(rest.post("/api/v1/tenants/research/tokens", "").field("token"));
        JsonNode runs = runs(rest, "");
        assertThat(runs.findValuesAsText("name")).containsExactly("mine", "null");
        assertThat(runs.toString()).doesNotContain("secret", "theirs", other, "failed");
        assertThat(runs.get(1).get("gpus")).hasSize(1);
        assertThat(rest.get("/api/v1/runs?tenant=secret").status()).isEqualTo(404);
        assertThat(runs(rest, "&tenant=research")).hasSize(1);
    }

    @Test
    void wrongParametersAreRefusedByName() {
        Running rest = start(Map.of());
        for (String wrong : new String[] {"limit=0", "limit=x", "from=now", "nodes=a"}) {
            var refused = rest.get("/api/v1/runs?" + wrong);
            assertThat(refused.status()).as(wrong).isEqualTo(400);
            assertThat(refused.field("field")).isEqualTo(wrong.substring(0, wrong.indexOf('=')));
        }
    }

    private Running start(Map<String, String> environment) {
        Running rest = Running.in(temp.resolve("data"), environment);
        running = rest;
        return rest;
    }

    private static JsonNode runs(Running rest, String filter) {
        return rest.get("/api/v1/runs?limit=100" + filter).json().get("runs");
    }

    private static String kinds(Running rest) {
        return String.join(" ", runs(rest, "").findValuesAsText("end_kind"));
    }
}
