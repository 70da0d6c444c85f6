package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/// `list`, `get`, `explain` and the estimate tell one story about a waiting job.
@Timeout(120)
final class WaitingReasonRestTest {
    private static final Map<String, String> WITHOUT_ESTIMATES =
            Map.of("GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS", "0");

    @TempDir static Path temp;

    private static int made;

    private Running rest = Running.in(temp.resolve("data-" + made++), WITHOUT_ESTIMATES);
    private FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    private void restart(Map<String, String> environment) {
        rest.close();
        rest = Running.in(temp.resolve("data-" + made++), environment);
        nodes = new FakeNodes(rest.server());
    }

    private String holder(String body) {
        String id = rest.submit(body);
        nodes.run(id);
        return id;
    }

    @Test
    void aReservationThatWentToAnotherJobIsNoLongerShown() {
        nodes.join("n1", 4);
        holder("{\"gpu_count\":4}");
        String first = rest.submit("{\"gpu_count\":4}");
        assertThat(reason(first)).contains("a place is reserved");
        String second = rest.submit("{\"gpu_count\":3}");
        assertThat(reason(second)).doesNotContain("a place is reserved");

        rest.patch("/api/v1/jobs/" + second, "{\"priority\":1000}");

        Soon.that("it moved", () -> reason(second).contains("a place is reserved"));
        assertThat(reason(first)).doesNotContain("a place is reserved");
        assertOneStory(first);
        assertOneStory(second);
    }

    @Test
    void aReservationThatWasDroppedIsNoLongerShown() {
        nodes.join("n1", 4).join("n2", 2);
        holder("{\"gpu_count\":4}");
        String waiting = rest.submit("{\"gpu_count\":4}");
        assertThat(reason(waiting)).contains("a place is reserved");

        rest.post("/api/v1/nodes/n1/cordon", "");

        assertThat(reason(waiting)).doesNotContain("a place is reserved");
        assertOneStory(waiting);
    }

    @Test
    void theTimeOfAReservationNamesItsAssumption() {
        nodes.join("n1", 4);
        holder("{\"gpu_count\":4}");
        String waiting = rest.submit("{\"gpu_count\":4}");

        assertThat(reason(waiting))
                .matches(
                        ".*; a place is reserved for it from 20\\S+Z at the latest, if jobs"
                                + " without a time limit end within 24 h");
        assertOneStory(waiting);
    }

    @Test
    void aReservationBehindTimeLimitsNeedsNoAssumption() {
        nodes.join("n1", 4);
        holder("{\"gpu_count\":4,\"max_runtime_minutes\":60}");
        String waiting = rest.submit("{\"gpu_count\":4}");

        assertThat(reason(waiting))
                .matches(".*; a place is reserved for it from 20\\S+Z at the latest");
    }

    @Test
    void whereThereIsAnEstimateOnlyTheEstimateNamesATime() {
        restart(Map.of("GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS", "1"));
        nodes.join("n1", 4);
        holder("{\"gpu_count\":4}");
        String waiting = rest.submit("{\"gpu_count\":4}");
        Soon.that("an estimate", () -> !rest.job(waiting).get("estimated_start").isNull());

        assertThat(reason(waiting)).endsWith("; a place is reserved for it");
        assertOneStory(waiting);
    }

    @Test
    void explainSaysForWhichJobFreeGpusAreReserved() {
        nodes.join("n1", 8);
        holder("{\"gpu_count\":2}");
        String first = rest.submit("{\"gpu_count\":8,\"priority\":200}");
        String second = rest.submit("{\"gpu_count\":7}");

        assertThat(rest.get("/api/v1/nodes/n1").json().get("available_gpus").asInt()).isEqualTo(6);
        JsonNode why = explain(second);
        assertThat(why.get("summary").asText())
                .doesNotContain("0 free GPUs")
                .contains("6 free GPUs, all reserved for other jobs, a task asks for 7")
                .contains("(for " + first + " until it starts, at 20");
        String third = rest.submit("{\"gpu_count\":1}");
        assertThat(explain(third).get("summary").asText())
                .contains("free GPUs are reserved for other jobs")
                .contains("(for " + first + " until it starts, at 20");
    }

    @Test
    void theJobOfAnotherTenantIsNotNamed() {
        restart(
                Map.of(
                        "GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS",
                        "0",
                        "GPU_SCHEDULER_AUTH_ENABLED",
                        "true"));
        rest.asAdmin();
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        nodes.join("n1", 8);
        holder("{\"gpu_count\":2}");
        String first = rest.submit("{\"gpu_count\":8,\"priority\":200}");
        rest.as(token);
        String second = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":7}");

        assertThat(explain(second).toString())
                .contains("(for another tenant's job until it starts, at 20")
                .doesNotContain(first + "\"")
                .doesNotContain(first + " ");
    }

    @Test
    void aCordonedNodeIsNotSaidToLackTheModel() {
        nodes.join("n1", 4).join("n2", 4, "H100-80GB").join("n3", 4, "H100-80GB");
        rest.post("/api/v1/nodes/n1/cordon", "");
        for (String more :
                new String[] {"", ",\"tasks\":2", ",\"node_selector\":{\"zone\":\"a\"}"}) {
            String waiting =
                    rest.submit("{\"gpu_count\":4,\"gpu_model\":\"A100-80GB\"" + more + "}");

            JsonNode why = explain(waiting);
            assertThat(why.get("summary").asText())
                    .as(more)
                    .contains("node is cordoned (n1)")
                    .contains("gpu-cli uncordon n1")
                    .doesNotContain("none of");
            assertThat(why.at("/reasons/0/by").asText()).as(more).isEqualTo("closed");
            assertThat(reason(waiting)).as(more).doesNotContain("none of");
            assertOneStory(waiting);
        }
    }

    @Test
    void aQuotaReasonShowsTheFiguresOfNow() {
        rest.post("/api/v1/tenants", "{\"id\":\"q\",\"name\":\"Q\",\"max_gpus\":4}");
        nodes.join("n1", 8);
        holder("{\"tenant_id\":\"q\",\"gpu_count\":2,\"priority\":300}");
        String waiting = rest.submit("{\"tenant_id\":\"q\",\"gpu_count\":4}");
        assertThat(reason(waiting)).contains("current=2");

        rest.submit("{\"tenant_id\":\"q\",\"gpu_count\":1,\"priority\":300}");

        assertThat(reason(waiting))
                .isEqualTo(explain(waiting).get("summary").asText())
                .contains("current=3");
        assertOneStory(waiting);
    }

    @Test
    void aHolderWhoseTenantForbidsPreemptionIsMarked() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"b\",\"name\":\"B\",\"allow_preemption\":false}");
        holder("{\"tenant_id\":\"b\",\"gpu_count\":4}");
        String waiting = rest.submit("{\"gpu_count\":2,\"priority\":1000}");

        JsonNode holder = explain(waiting).at("/holders/0");
        assertThat(holder.path("preemption_allowed").isBoolean()).isTrue();
        assertThat(holder.path("preemption_allowed").asBoolean()).isFalse();
    }

    @Test
    void aLostRunDoesNotHideWhyTheJobWaits() {
        nodes.join("n1", 4);
        String lost = rest.submit("{\"gpu_count\":4}");
        nodes.run(lost);
        nodes.join("n2", 2);
        nodes.lose("n1");

        assertThat(reason(lost))
                .contains("no free place")
                .endsWith("queued again after a lost run");
        assertOneStory(lost);
    }

    private void assertOneStory(String id) {
        JsonNode job = rest.job(id);
        JsonNode why = explain(id);
        String listed = "";
        for (JsonNode each : rest.get("/api/v1/jobs").json().get("jobs")) {
            listed = each.get("id").asText().equals(id) ? each.get("reason").asText() : listed;
        }
        assertThat(job.get("reason").asText()).isEqualTo(listed);
        assertThat(job.get("message").asText()).isEqualTo(listed);
        assertThat(why.path("reason").asText()).isEqualTo(listed);
        assertThat(why.get("reserved_from").isNull())
                .isEqualTo(!listed.contains("a place is reserved"));
    }

    private String reason(String id) {
        return rest.job(id).get("reason").asText();
    }

    private JsonNode explain(String id) {
        return rest.get("/api/v1/jobs/" + id + "/explain").json();
    }
}
