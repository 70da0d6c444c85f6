package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;

/// What the API shows of a job while it waits.
@Timeout(60)
final class WaitingJobRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aJobTooLargeForAnyNodeGetsTheHintThatAGangWouldFit() {
        nodes.join("n1", 8).join("n2", 8);
        String id = rest.submit("{\"gpu_count\":9}");
        String would = "with gang_scheduling, 3 tasks of 3 would fit";

        JsonNode job = rest.job(id);
        assertThat(job.get("reason").asText()).endsWith(would);
        assertThat(job.get("message").asText()).endsWith(would);
        JsonNode listed = rest.get("/api/v1/jobs").json().at("/jobs/0");
        assertThat(listed.get("reason").asText()).endsWith(would);
        JsonNode why = rest.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("summary").asText()).contains("gang_scheduling");
        assertThat(why.get("changes").findValuesAsText("change"))
                .as("%s", why.get("changes"))
                .contains("a gang of 3 tasks of 3 GPUs");
    }

    @Test
    void theCoresOfAGangAreShownAsTheyWereAskedFor() {
        String three = "{\"gpu_count\":3,\"gang_scheduling\":true,\"tasks\":3,\"cpu_cores\":%d}";

        assertThat(rest.job(rest.submit(three.formatted(1))).get("cpu_cores").asDouble())
                .isEqualTo(1);
        assertThat(rest.job(rest.submit(three.formatted(8))).get("cpu_cores").asDouble())
                .isEqualTo(8);
    }

    @Test
    void jobsThatHaveEndedAreLeftOutOfTheActiveOnes() {
        nodes.join("n1", 8);
        String ended = rest.submit("{}");
        nodes.run(ended);
        nodes.end(ended, 0);
        String placed = rest.submit("{}");

        JsonNode active = rest.get("/api/v1/jobs?active=true").json();
        assertThat(active.get("jobs").findValuesAsText("id")).containsExactly(placed);
        assertThat(active.get("total").asInt()).isEqualTo(1);
        assertThat(rest.get("/api/v1/jobs").json().get("total").asInt()).isEqualTo(2);
    }

    @Test
    void eventsSayInWordsWhatDecidedOnTheNode() {
        nodes.join("n1", 8).join("n2", 8);
        String id = rest.submit("{}");
        nodes.run(id);

        assertThat(rest.get("/api/v1/jobs/" + id + "/events").text())
                .contains(": lowest cost: ")
                .doesNotContain("‰")
                .doesNotContain("×");
    }

    @Test
    void noGangIsAdvisedWhereItWouldNotHelp() {
        nodes.join("n1", 8);
        String id = rest.submit("{\"gpu_count\":17}");
        assertThat(rest.job(id).get("reason").asText())
                .contains("even when idle")
                .doesNotContain("gang_scheduling");
    }

    @Test
    void aGangOfOneTaskIsAGang() {
        nodes.join("n1", 8);
        JsonNode gang = rest.job(rest.submit("{\"gpu_count\":4,\"gang_scheduling\":true}"));
        assertThat(gang.get("gang_scheduling").asBoolean()).isTrue();
        assertThat(gang.get("tasks").asInt()).isEqualTo(1);
        JsonNode plain = rest.job(rest.submit("{\"gpu_count\":4}"));
        assertThat(plain.get("gang_scheduling").asBoolean()).isFalse();
    }

    @Test
    void theTimeOfTheLastChangeNeverGoesBack() {
        String id = rest.submit("{}");
        Instant submitted = updated(id);
        assertThat(submitted).isEqualTo(rest.job(id).get("submitted_at").asText());
        rest.post("/api/v1/jobs/" + id + "/hold", "");
        Instant held = updated(id);
        rest.post("/api/v1/jobs/" + id + "/release", "");
        Instant released = updated(id);
        rest.patch("/api/v1/jobs/" + id, "{\"priority\":7}");
        Instant raised = updated(id);

        assertThat(held).isAfter(submitted);
        assertThat(released).isAfter(held);
        assertThat(raised).isAfter(released);
        assertThat(rest.job(id).get("submitted_at").asText()).isEqualTo(submitted.toString());
    }

    private Instant updated(String id) {
        return Instant.parse(rest.job(id).get("updated_at").asText());
    }

    /// `gpu_count` and similar fields are totals of all tasks, in a request as in a hint.
    @Test
    void hintsForAGangUseTheFieldsOfItsSubmission() {
        nodes.join("n1", 8).join("n2", 8);
        rest.submit("{\"gpu_count\":4}");
        rest.submit("{\"gpu_count\":5}");
        String id = rest.submit("{\"gpu_count\":16,\"gang_scheduling\":true}");

        JsonNode changes = rest.get("/api/v1/jobs/" + id + "/explain").json().get("changes");
        for (JsonNode change : changes) {
            if (change.get("field").asText().equals("gpu_count")) {
                assertThat(change.get("from").asText()).isEqualTo("16");
                int to = change.get("to").asInt();
                rest.delete("/api/v1/jobs/" + id);
                String again = "{\"gpu_count\":" + to + ",\"tasks\":2}";
                assertThat(rest.job(rest.submit(again)).get("state").asText())
                        .isEqualTo("scheduled");
                return;
            }
        }
        throw new AssertionError("no change of gpu_count in " + changes);
    }

    @Test
    void listsOfNodesAndTenantsAreCutAsAsked() {
        nodes.join("n1", 1).join("n2", 1).join("n3", 1);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\"}");
        for (String list : new String[] {"nodes", "tenants"}) {
            String path = "/api/v1/" + list;
            JsonNode all = rest.get(path).json();
            JsonNode second = rest.get(path + "?limit=1&offset=1").json();
            assertThat(second.get("total")).isEqualTo(all.get("total"));
            assertThat(second.get(list)).hasSize(1);
            assertThat(second.get(list).get(0)).isEqualTo(all.get(list).get(1));
            assertThat(rest.get(path + "?offset=99").json().get(list)).isEmpty();
            var refused = rest.get(path + "?limit=abc");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.field("field")).isEqualTo("limit");
        }
    }

    @Test
    void jobsOfATenantThatDoesNotExistAreNotFound() {
        var refused = rest.get("/api/v1/jobs?tenant_id=nope");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.field("error")).contains("nope");
        assertThat(rest.get("/api/v1/jobs?tenant_id=default").status()).isEqualTo(200);
    }
}
