package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.core.model.Exit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// What the API shows of jobs that hold GPUs without using them.
@Timeout(60)
final class IdleRestTest {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir Path temp;

    @Test
    void anIdleJobIsShownAsIdleUntilItIsBusyAgain() {
        try (Running rest = Running.in(temp.resolve("data"))) {
            var nodes = new FakeNodes(rest.server()).join("n1", 8);
            String job = rest.submit("{\"name\":\"forgotten\",\"gpu_count\":4}");
            rest.submit("{\"gpu_count\":1}");
            nodes.run(job);
            assertThat(rest.get("/api/v1/idle").json().get("total").asInt()).isZero();

            nodes.idle(job, LONG);
            JsonNode page = rest.get("/api/v1/idle").json();
            assertThat(page.get("idle_gpus").asInt()).isEqualTo(4);
            assertThat(page.get("reclaim").asBoolean()).isFalse();
            JsonNode row = page.get("jobs").get(0);
            assertThat(row.get("job_id").asText()).isEqualTo(job);
            assertThat(row.get("name").asText()).isEqualTo("forgotten");
            assertThat(row.get("attempt").asInt()).isEqualTo(1);
            assertThat(row.get("devices")).hasSize(4);
            assertThat(row.get("utilization").isNull()).as("never measured").isTrue();
            assertThat(row.get("action").asText()).isEqualTo("none");
            assertThat(row.get("stops_at").isNull()).isTrue();
            assertThat(row.get("note").asText()).contains("scheduler.idle.reclaim");
            String since = row.get("idle_since").asText();
            JsonNode shown = rest.get("/api/v1/jobs/" + job).json();
            assertThat(shown.get("idle_since").asText()).isEqualTo(since);
            assertThat(shown.get("reason").asText()).startsWith("uses none of its GPUs since ");
            JsonNode why = rest.get("/api/v1/jobs/" + job + "/explain").json();
            assertThat(why.get("idle_since").asText()).isEqualTo(since);
            assertThat(rest.get("/metrics").text()).contains("gpu_scheduler_gpus_idle 4.0");

            nodes.idle(job, Duration.ZERO);
            assertThat(rest.get("/api/v1/idle").json().get("total").asInt()).isZero();
            assertThat(rest.get("/api/v1/jobs/" + job).json().get("idle_since").isNull()).isTrue();
            assertThat(rest.get("/api/v1/jobs/" + job + "/events").text())
                    .contains("\"kind\":\"idle\"", "\"kind\":\"busy\"");
        }
    }

    @Test
    void theIdleListShowsWhenAJobWillBeStoppedAndTheJobShowsWhy() {
        Map<String, String> settings =
                Map.of(
                        "GPU_SCHEDULER_SCHEDULER_IDLE_RECLAIM", "true",
                        "GPU_SCHEDULER_SCHEDULER_IDLE_AFTER_SECONDS", "1",
                        "GPU_SCHEDULER_SCHEDULER_IDLE_GRACE_SECONDS", "1000");
        String kept;
        String job;
        try (Running rest = Running.in(temp.resolve("data"), settings)) {
            var nodes = new FakeNodes(rest.server()).join("n1", 8);
            job = rest.submit("{\"gpu_count\":4}");
            kept = rest.submit("{\"gpu_count\":1,\"labels\":{\"gpusched.io/idle\":\"keep\"}}");
            nodes.run(job);
            nodes.run(kept);
            nodes.idle(job, LONG);
            nodes.idle(kept, LONG);
            JsonNode jobs = rest.get("/api/v1/idle").json().get("jobs");
            JsonNode first = jobs.get(0);
            assertThat(first.get("action").asText()).isEqualTo("stop");
            assertThat(Instant.parse(first.get("stops_at").asText()))
                    .isEqualTo(Instant.parse(first.get("idle_since").asText()).plusSeconds(1001));
            assertThat(jobs.get(1).get("action").asText()).isEqualTo("none");
            assertThat(jobs.get(1).get("note").asText()).contains("gpusched.io/idle=keep");
        }
        var impatient =
                Map.of(
                        "GPU_SCHEDULER_SCHEDULER_IDLE_RECLAIM", "true",
                        "GPU_SCHEDULER_SCHEDULER_IDLE_AFTER_SECONDS", "1",
                        "GPU_SCHEDULER_SCHEDULER_IDLE_GRACE_SECONDS", "0");
        try (Running rest = Running.in(temp.resolve("data"), impatient)) {
            assertThat(rest.get("/api/v1/idle").json().get("total").asInt())
                    .as("remembered by the server that starts again")
                    .isEqualTo(2);
            var nodes = new FakeNodes(rest.server());
            Soon.that(
                    "its second is over",
                    () -> {
                        nodes.idle(job, LONG);
                        nodes.idle(kept, LONG);
                        return rest.get("/api/v1/jobs/" + job).text().contains("stopping: idle");
                    });
            assertThat(rest.get("/api/v1/idle").text()).contains("\"action\":\"stopping\"");
            nodes.end(job, new Exit(Exit.How.STOPPED, 143, ""));
            JsonNode ended = rest.get("/api/v1/jobs/" + job).json();
            assertThat(ended.get("state").asText()).isEqualTo("failed");
            assertThat(ended.get("reason").asText()).startsWith("idle: used none of its GPUs");
            assertThat(rest.get("/api/v1/jobs/" + kept).field("state")).isEqualTo("running");
            assertThat(rest.get("/metrics").text()).contains("gpu_scheduler_idle_stops_total 1.0");
        }
    }
}
