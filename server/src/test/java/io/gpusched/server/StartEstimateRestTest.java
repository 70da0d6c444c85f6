package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Start estimates of waiting jobs over REST.
@Timeout(120)
final class StartEstimateRestTest {
    @TempDir Path data;

    private @Nullable Running rest;

    @AfterEach
    void stop() {
        if (rest != null) {
            rest.close();
        }
    }

    @Test
    void aWaitingJobHasAStartEstimateAndTheRangesAreCounted() {
        var running = Running.in(data, Map.of("GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS", "1"));
        rest = running;
        var nodes = new FakeNodes(running.server());
        nodes.join("n1", 1);
        String holder = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":60}");
        nodes.run(holder);
        String id = running.submit("{\"gpu_count\":1,\"max_runtime_minutes\":60}");

        Soon.that("an estimate", () -> !running.job(id).get("estimated_start").isNull());

        JsonNode job = running.job(id);
        Instant early = Instant.parse(job.get("estimated_start").get("p10").asText());
        Instant late = Instant.parse(job.get("estimated_start").get("p90").asText());
        assertThat(early).isBefore(late);
        assertThat(late)
                .as("the holder may stay an hour, and first ranges are wide")
                .isBefore(Instant.now().plus(Duration.ofHours(3)));
        assertThat(job.get("estimated_wait").asLong()).isBetween(0L, 3600L);
        assertThat(job.get("estimated_wait_range").get("p90").asLong())
                .isGreaterThanOrEqualTo(job.get("estimated_wait").asLong());
        assertThat(running.job(holder).get("estimated_start").isNull()).isTrue();
        JsonNode why = running.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("estimated_start").isNull()).isFalse();

        nodes.end(holder, 0);
        Soon.that(
                "the range is counted",
                () ->
                        running.get("/metrics")
                                .text()
                                .matches("(?s).*gpu_scheduler_eta_coverage_ratio [01]\\..*"));
        String counted = coverage(running);
        running.close();
        Running again = Running.in(data);
        rest = again;
        assertThat(coverage(again)).as("a restart forgets nothing").isEqualTo(counted);
    }

    private static String coverage(Running running) {
        return running.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith("gpu_scheduler_eta_coverage_ratio "))
                .findFirst()
                .orElse("none");
    }
}
