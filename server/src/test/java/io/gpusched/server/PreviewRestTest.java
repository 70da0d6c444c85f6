package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// Explanations and previews over REST, which change nothing.
@Timeout(60)
final class PreviewRestTest {
    @TempDir static Path temp;

    private static int made;

    private Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    private JsonNode preview(String body) {
        var answered = rest.post("/api/v1/jobs?dry_run=true", body);
        assertThat(answered.status()).as(answered.text()).isEqualTo(200);
        return answered.json();
    }

    @Test
    void anExplanationNamesHoldersAndChanges() {
        nodes.join("n1", 8);
        String holder = rest.submit("{\"gpu_count\":6,\"max_runtime_minutes\":60}");
        String id = rest.submit("{\"gpu_count\":4}");

        JsonNode why = rest.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("ahead").asInt()).isZero();
        assertThat(why.get("place").isNull()).isTrue();
        JsonNode held = why.get("holders").get(0);
        assertThat(held.get("job_id").asText()).isEqualTo(holder);
        assertThat(held.get("gpus").asInt()).isEqualTo(6);
        assertThat(held.get("expected_end").asText()).isNotEmpty();
        JsonNode change = why.get("changes").get(0);
        assertThat(change.get("change").asText()).isEqualTo("2 GPUs instead of 4");
        assertThat(change.get("place").asText()).isEqualTo("n1[6-7]");
        assertThat(why.get("reasons").get(0).get("lifted_by").get(0).asText())
                .isEqualTo("capacity is freed");
    }

    @Test
    void aDryRunShowsWhereTheJobWouldStartAndSubmitsNothing() {
        nodes.join("n1", 8);
        JsonNode seen = preview("{\"gpu_count\":4}");
        assertThat(seen.get("verdict").asText()).isEqualTo("starts");
        assertThat(seen.get("place").asText()).isEqualTo("n1[0-3]");
        assertThat(seen.has("job_id")).isFalse();
        assertThat(rest.get("/api/v1/jobs").json().get("total").asInt()).isZero();
        assertThat(rest.submit("{}")).isEqualTo("job-1");
    }

    @Test
    void aDryRunShowsWhyTheJobWouldWait() {
        nodes.join("n1", 2);
        JsonNode seen = preview("{\"gpu_count\":4}");
        assertThat(seen.get("verdict").asText()).isEqualTo("waits");
        assertThat(seen.get("position").asInt()).isEqualTo(1);
        assertThat(seen.get("reasons").get(0).get("by").asText()).isEqualTo("too-few-gpus");
        assertThat(seen.get("changes").get(0).get("to").asText()).isEqualTo("2");
    }

    @Test
    void aDryRunIsRefusedLikeTheSubmission() {
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"max_gpus\":2}");
        for (String body :
                new String[] {
                    "{\"gpu_count\":-1}",
                    "{\"tenant_id\":\"nobody\"}",
                    "{\"tenant_id\":\"a\",\"gpu_count\":3}",
                    "[]"
                }) {
            var dry = rest.post("/api/v1/jobs?dry_run=true", body);
            var real = rest.post("/api/v1/jobs", body);
            assertThat(dry.status()).as(body).isEqualTo(real.status());
            assertThat(dry.json().get("error")).isEqualTo(real.json().get("error"));
        }
        assertThat(rest.post("/api/v1/jobs?dry_run=maybe", "{}").status()).isEqualTo(400);
    }

    @Test
    void defragmentationAdviceListsMovesAndMovesNothing() {
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        nodes.join("n1", 4).join("n2", 4);
        String filler = rest.submit("{\"gpu_count\":2}");
        String first = rest.submit("{\"gpu_count\":2,\"tenant_id\":\"a\"}");
        String second = rest.submit("{\"gpu_count\":2,\"tenant_id\":\"a\"}");
        nodes.run(filler);
        nodes.run(first);
        nodes.run(second);
        nodes.end(filler, 0);
        String big = rest.submit("{\"gpu_count\":4,\"priority\":1}");

        JsonNode advice = rest.get("/api/v1/defrag").json();
        assertThat(advice.get("job_id").asText()).isEqualTo(big);
        assertThat(advice.get("moves").size()).isEqualTo(1);
        assertThat(advice.get("moves").get(0).get("tenant_id").asText()).isEqualTo("a");
        assertThat(rest.get("/api/v1/defrag?job=" + big).json().get("place").isNull()).isFalse();
        assertThat(rest.get("/api/v1/defrag?job=job-99").status()).isEqualTo(404);
        assertThat(rest.job(big).get("state").asText()).isEqualTo("pending");
    }
}
