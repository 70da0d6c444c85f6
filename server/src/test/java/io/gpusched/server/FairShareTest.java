package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

/// Fair share over REST, under the policy `fair`.
@Timeout(60)
final class FairShareTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest =
            Running.in(
                    temp.resolve("fair-" + made++),
                    Map.of("GPU_SCHEDULER_SCHEDULER_POLICY", "fair"));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    private void tenant(String id, String more) {
        var answered =
                rest.post("/api/v1/tenants", "{\"id\":\"" + id + "\",\"name\":\"x\"" + more + "}");
        assertThat(answered.status()).as(answered.text()).isEqualTo(201);
    }

    private JsonNode share(String id) {
        JsonNode page = rest.get("/api/v1/fairshare").json();
        assertThat(page.get("by_tenant").asBoolean()).isTrue();
        for (JsonNode row : page.get("tenants")) {
            if (row.get("tenant_id").asText().equals(id)) {
                return row;
            }
        }
        throw new AssertionError("no " + id + " in " + page);
    }

    @Test
    void everyTenantLearnsWhatItGetsAndWhy() {
        nodes.join("n1", 8);
        tenant("a", ",\"guaranteed_gpus\":2,\"fair_share_weight\":3");
        tenant("b", ",\"guaranteed_gpus\":4");
        rest.submit("{\"gpu_count\":8,\"tenant_id\":\"a\"}");

        assertThat(share("a").get("borrowed_gpus").asDouble()).isEqualTo(6);
        assertThat(share("a").get("status").asText()).isEqualTo("borrowing");
        assertThat(share("a").get("effective_share").asDouble()).isEqualTo(3 / 5.0);
        assertThat(share("a").get("why").asText())
                .isEqualTo(
                        "holds 6 GPUs more than the 2 guaranteed: tenants below their guarantee"
                                + " may take them back");
        assertThat(share("b").get("why").asText())
                .startsWith("holds 0 of 4 guaranteed GPUs: its jobs go first");
        assertThat(share("default").get("why").asText()).startsWith("holds nothing");
    }

    @Test
    void aTenantIsNotToldWhoTookItsBorrowedGpusBack() {
        nodes.join("n1", 8);
        tenant("a", ",\"allow_preemption\":true");
        tenant("hidden-team", ",\"guaranteed_gpus\":4");
        String token = rest.post("/api/v1/tenants/a/tokens", "").field("token");
        String borrower = rest.submit("{\"gpu_count\":8,\"tenant_id\":\"a\"}");
        nodes.run(borrower);
        String owner = rest.submit("{\"gpu_count\":4,\"tenant_id\":\"hidden-team\"}");
        String whole = "taken back for " + owner + " of hidden-team, which is below its guarantee";
        String path = "/api/v1/jobs/" + borrower;
        for (String field : new String[] {"reason", "last_failure"}) {
            Soon.that(field, () -> rest.get(path).field(field).contains(whole));
            rest.as(token);
            for (String shown : new String[] {path, path + "/explain"}) {
                assertThat(rest.get(shown).text())
                        .as(shown)
                        .contains("taken back for another tenant's job, which is below")
                        .doesNotContain(owner, "hidden");
            }
            rest.as("");
            assertThat(rest.get(path + "/explain").text()).contains(whole);
            if (field.equals("reason")) {
                nodes.end(borrower, 143);
            }
        }
    }

    @Test
    void aQueuePositionIsThatAmongTheTenantsJobs() {
        tenant("a", "");
        String first = rest.submit("{\"tenant_id\":\"a\"}");
        String other = rest.submit("{\"priority\":1000}");
        String second = rest.submit("{\"tenant_id\":\"a\"}");

        assertThat(rest.job(first).get("queue_position").asInt()).isEqualTo(1);
        assertThat(rest.job(other).get("queue_position").asInt()).isEqualTo(1);
        assertThat(rest.job(second).get("queue_position").asInt()).isEqualTo(2);
    }

    @Test
    void metricsShowTheShareOfEachTenant() {
        nodes.join("n1", 8);
        tenant("a", "");
        rest.submit("{\"gpu_count\":2,\"tenant_id\":\"a\"}");

        assertThat(rest.get("/metrics").text())
                .contains("gpu_scheduler_tenant_share{tenant=\"a\"} 0.25")
                .contains("gpu_scheduler_tenant_share{tenant=\"default\"} 0.0");
    }
}
