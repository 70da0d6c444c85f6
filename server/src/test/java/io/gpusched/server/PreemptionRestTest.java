package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// Preemption as the API shows it.
@Timeout(60)
final class PreemptionRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aJobThatMadeRoomIsShownAndCountedAndItsUseIsGivenBack() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        String low = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":4,\"cpu_cores\":8}");
        nodes.run(low);
        assertThat(state(low)).isEqualTo("running");
        assertThat(used("current_gpus")).isEqualTo(4);
        assertThat(rest.get("/metrics").text()).contains("gpu_scheduler_preemptions_total 0.0");

        String high = rest.submit("{\"gpu_count\":2,\"priority\":1000}");
        Soon.that(
                "the low job is asked to stop",
                () -> rest.job(low).get("reason").asText().startsWith("stopping"));
        assertThat(rest.job(low).get("reason").asText())
                .as("an administrator sees for whom it stops")
                .contains(high);
        assertThat(state(high))
                .as("nothing is free before the other has ended")
                .isEqualTo("pending");
        nodes.end(low, 143);

        Soon.that("the high job has its place", () -> state(high).equals("scheduled"));
        JsonNode why = rest.get("/api/v1/jobs/" + high + "/explain").json();
        assertThat(why.get("preempted").asInt()).isEqualTo(1);
        assertThat(why.get("preempted_jobs").get(0).asText()).isEqualTo(low);
        assertThat(why.get("score_terms")).as("what decided on its place").isNotEmpty();
        assertThat(rest.get("/api/v1/jobs/" + high + "/events").text())
                .contains("by stopping 1 job")
                .doesNotContain(low);
        assertThat(state(low)).isEqualTo("preempted");
        assertThat(rest.job(low).get("preempted_count").asInt()).isEqualTo(1);
        assertThat(used("current_gpus")).isZero();
        assertThat(used("current_cpu_cores")).isZero();
        Soon.that(
                "one preemption is counted",
                () -> rest.get("/metrics").text().contains("gpu_scheduler_preemptions_total 1.0"));
        nodes.run(high);
        nodes.end(high, 0);
        Soon.that("the low job runs again", () -> state(low).equals("scheduled"));
        assertThat(used("current_gpus")).isEqualTo(4);
    }

    @Test
    void onlyAnAdministratorReadsForWhichJobOfAnotherTenantAJobStops() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        rest.post("/api/v1/tenants", "{\"id\":\"secret\",\"name\":\"S\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String low = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":4}");
        nodes.run(low);
        String high = rest.submit("{\"tenant_id\":\"secret\",\"gpu_count\":2,\"priority\":1000}");
        Soon.that("it stops", () -> rest.job(low).get("stop_cause").asText().equals("preempted"));
        String[] paths = {
            "/api/v1/jobs", "/api/v1/jobs/" + low, "/api/v1/jobs/" + low + "/explain"
        };

        for (String path : paths) {
            assertThat(rest.get(path).text()).as(path).contains("made room for " + high);
        }
        rest.as(token);
        for (String path : paths) {
            assertThat(rest.get(path).text())
                    .as(path)
                    .contains("made room for another tenant's job")
                    .doesNotContain(high, "secret");
        }

        nodes.end(low, 143);
        Soon.that("it waits again", () -> state(low).equals("preempted"));
        String[] afterwards = {paths[1], paths[2], "/api/v1/jobs/" + low + "/events"};
        for (String path : afterwards) {
            assertThat(rest.get(path).text())
                    .as(path)
                    .contains("another tenant's job")
                    .doesNotContain(high, "secret");
        }
        rest.as("");
        for (String path : afterwards) {
            assertThat(rest.get(path).text()).as(path).contains("made room for " + high);
        }
    }

    @Test
    void onlyAnAdministratorReadsWhichJobOfAnotherTenantKeepsAGpu() {
        nodes.join("n1", 1);
        String other = rest.submit("{\"gpu_count\":1}");
        nodes.breaks("n1", 0, "a task of " + other + " did not stop");
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        assertThat(rest.get("/api/v1/nodes/n1").text())
                .contains("a task of " + other + " did not stop");
        assertThat(rest.as(token).get("/api/v1/nodes/n1").text())
                .contains("a task of another tenant's job did not stop")
                .doesNotContain(other);
    }

    @Test
    void aTenantReadsItsOwnJobForWhichAnotherStops() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"allow_preemption\":true}");
        rest.as(rest.post("/api/v1/tenants/a/tokens", "").field("token"));
        String low = rest.submit("{\"gpu_count\":4}");
        nodes.run(low);
        String high = rest.submit("{\"gpu_count\":2,\"priority\":1000}");
        Soon.that("it stops", () -> rest.job(low).get("reason").asText().contains(high));
    }

    /// A job that is not preemptible keeps its GPUs, however high another job's priority is.
    @Test
    void aTenantThatDoesNotAllowItIsLeftAlone() {
        nodes.join("n1", 4);
        rest.post("/api/v1/tenants", "{\"id\":\"b\",\"name\":\"B\",\"allow_preemption\":false}");
        String low = rest.submit("{\"tenant_id\":\"b\",\"gpu_count\":4}");
        nodes.run(low);
        String high = rest.submit("{\"gpu_count\":2,\"priority\":1000}");

        assertThat(state(low)).isEqualTo("running");
        assertThat(rest.job(low).get("preempted_count").asInt()).isZero();
        assertThat(state(high)).isEqualTo("pending");
        assertThat(rest.get("/api/v1/jobs/" + high + "/explain").text())
                .contains(
                        "1 job below its priority holds 4 GPUs, but its tenant does not allow"
                                + " preemption");
    }

    /// Only the reason mentions the unreachable node: the job is still considered running.
    @Test
    void aJobOnASilentNodeKeepsRunningAndIsShownAsSuch() {
        nodes.join("n1", 4);
        String id = rest.submit("{\"gpu_count\":2}");
        nodes.run(id);
        assertThat(rest.job(id).get("reason").asText()).isEmpty();
        nodes.silence("n1");

        assertThat(state(id)).isEqualTo("running");
        assertThat(rest.job(id).get("reason").asText()).isEqualTo("node unreachable: n1");
        assertThat(rest.job(id).get("unreachable_node").asText()).isEqualTo("n1");
        assertThat(rest.job(id).get("stop_cause").isNull()).isTrue();
        assertThat(rest.get("/api/v1/jobs/" + id + "/explain").field("reason"))
                .isEqualTo("node unreachable: n1");
        JsonNode cluster = rest.get("/api/v1/cluster/status").json();
        assertThat(cluster.get("used_gpus").asInt()).isEqualTo(2);
        assertThat(cluster.get("available_gpus").asInt()).isZero();
        assertThat(rest.delete("/api/v1/jobs/" + id).field("message"))
                .isEqualTo("Job cancelled successfully");
        assertThat(rest.job(id).get("reason").asText())
                .startsWith("stopping: cancelled")
                .endsWith("; node unreachable: n1");
        assertThat(rest.job(id).get("unreachable_node").asText()).isEqualTo("n1");
        assertThat(rest.job(id).get("stop_cause").asText()).isEqualTo("cancelled");
    }

    private String state(String id) {
        return rest.job(id).get("state").asText();
    }

    private int used(String field) {
        return rest.get("/api/v1/tenants/a").json().get(field).asInt();
    }
}
