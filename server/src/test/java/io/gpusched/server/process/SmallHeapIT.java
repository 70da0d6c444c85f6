package io.gpusched.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// The payloads of cancelled jobs may together be larger than the heap, and so may the journal that
/// a start replays.
@Timeout(600)
final class SmallHeapIT {
    private static final String HEAP = "128m";
    private static final int JOBS = 450;
    private static final int SIZE = 500_000;

    @TempDir Path folder;

    @Test
    void largeJobsThatHaveEndedDoNotFillTheHeapAndDoNotStopARestart() throws Exception {
        String script = "x".repeat(SIZE);
        var json = new ObjectMapper();
        String last = "";
        try (var scheduler = SchedulerProcess.start(folder, "", HEAP)) {
            for (int i = 0; i < JOBS; i++) {
                var taken =
                        scheduler.send("POST", "/api/v1/jobs", "{\"script\":\"" + script + "\"}");
                assertThat(taken.statusCode()).as("%s: %s", i, taken.body()).isEqualTo(201);
                last = json.readTree(taken.body()).get("job_id").asText();
                var ended = scheduler.send("DELETE", "/api/v1/jobs/" + last, "");
                assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
            }
        }
        try (var scheduler = SchedulerProcess.start(folder, "", HEAP)) {
            var shown = scheduler.send("GET", "/api/v1/jobs/" + last, "");
            assertThat(shown.statusCode()).isEqualTo(200);
            assertThat(json.readTree(shown.body()).get("script").asText()).isEqualTo(script);
            var all = scheduler.send("GET", "/api/v1/jobs?limit=1000", "");
            assertThat(json.readTree(all.body()).get("total").asInt()).isEqualTo(JOBS);
        }
    }
}
