package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/// The tier of a tenant limits the priority that its jobs may request.
final class PriorityCapsTest {
    @TempDir Path folder;
    private Running rest;

    @BeforeEach
    void start() {
        rest = Running.in(folder, Map.of("GPU_SCHEDULER_SCHEDULER_PRIORITY_CAPS_LOW", "300"));
        tenant("small", "low");
        tenant("usual", "medium");
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private void tenant(String id, String tier) {
        var made =
                rest.post(
                        "/api/v1/tenants",
                        "{\"id\":\"%s\",\"name\":\"T\",\"priority_tier\":\"%s\"}"
                                .formatted(id, tier));
        assertThat(made.status()).isEqualTo(201);
    }

    private static String job(String tenant, int priority) {
        return "{\"tenant_id\":\"%s\",\"priority\":%d}".formatted(tenant, priority);
    }

    @Test
    void aSubmissionAboveTheCapIsRefusedWithTheCapAndTheRemedy() {
        var refused = rest.post("/api/v1/jobs", job("small", 301));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text())
                .contains("priority 301 is above 300, the highest for tenant small of tier low")
                .contains("scheduler.priority_caps.low");
        assertThat(rest.post("/api/v1/jobs", job("small", 300)).status()).isEqualTo(201);
        assertThat(rest.post("/api/v1/jobs?dry_run=true", job("small", 301)).status())
                .isEqualTo(400);
    }

    @Test
    void theDefaultTenantIsOfTheUsualTier() {
        assertThat(rest.post("/api/v1/jobs", job("default", 5_000)).status()).isEqualTo(201);
        assertThat(rest.post("/api/v1/jobs", job("default", 5_001)).status()).isEqualTo(400);
    }

    @Test
    void thePriorityOfAWaitingJobIsBoundedTooAndFollowsTheTier() {
        String id = rest.submit(job("usual", 5_000));
        var refused = rest.patch("/api/v1/jobs/" + id, "{\"priority\":5001}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("the highest for tenant usual of tier medium");
        assertThat(rest.job(id).get("priority").asInt()).isEqualTo(5_000);

        rest.patch("/api/v1/tenants/usual", "{\"priority_tier\":\"high\"}");
        assertThat(rest.patch("/api/v1/jobs/" + id, "{\"priority\":10000}").status())
                .isEqualTo(200);
    }
}
