package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/// The payloads of waiting and running jobs are limited in size, and can be read also after the
/// end.
@Timeout(120)
final class PayloadRestTest {
    private static final String JOB =
            "{\"script\":\"%s\",\"environment\":{\"A\":\"b\"},\"command\":[\"c\"]}";

    @TempDir Path dataDir;

    @Test
    void anEndedJobShowsWhatItRan() {
        String id;
        try (Running rest = Running.in(dataDir)) {
            id = rest.submit(JOB.formatted("echo hello"));
            assertThat(rest.delete("/api/v1/jobs/" + id).status()).isEqualTo(200);
            showsAll(rest, id);
        }
        try (Running rest = Running.in(dataDir)) {
            showsAll(rest, id);
        }
    }

    private static void showsAll(Running rest, String id) {
        Soon.that("cancelled", () -> rest.job(id).get("state").asText().equals("cancelled"));
        var job = rest.job(id);
        assertThat(job.get("script").asText()).isEqualTo("echo hello");
        assertThat(job.get("environment").get("A").asText()).isEqualTo("b");
        assertThat(job.get("command").get(0).asText()).isEqualTo("c");
    }

    @Test
    void whatDoesNotFitIsRefusedUntilJobsEnd() {
        try (Running rest =
                Running.in(
                        dataDir,
                        Map.of(
                                "GPU_SCHEDULER_SCHEDULER_MAX_PAYLOAD_MB", "2",
                                "GPU_SCHEDULER_SCHEDULER_MAX_TENANT_PAYLOAD_MB", "1"))) {
            String large = JOB.formatted("x".repeat(520_000));
            String first = rest.submit(large);
            rest.submit(large);
            var refused = rest.post("/api/v1/jobs", large);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.field("code")).isEqualTo("queue_full");
            assertThat(refused.field("error")).contains("of tenant default").contains("1024 KiB");
            rest.delete("/api/v1/jobs/" + first);
            rest.submit(large);
        }
    }
}
