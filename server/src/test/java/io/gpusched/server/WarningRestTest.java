package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/// The warnings in the server's answers.
@Timeout(60)
final class WarningRestTest {
    @TempDir static Path temp;

    private static int made;

    private final Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aRequestThatNoNodeCanMeetGetsAWarning() {
        nodes.join("n1", 8);

        assertThat(warnings("{\"script\":\"x\"}")).isEmpty();
        assertThat(warnings("{}")).contains("neither command nor script");
        assertThat(warnings("{\"command\":[\"x\"],\"gpu_model\":\"H100\"}"))
                .contains("gpu_model: no node has a GPU of [H100]");
        assertThat(warnings("{\"script\":\"x\",\"gpu_model\":\"A100\"}")).isEmpty();
        assertThat(warnings("{\"script\":\"x\",\"cpu_cores\":65}"))
                .contains("no node has 65 cores for one task, the largest has 64");
        assertThat(warnings("{\"script\":\"x\",\"memory_mb\":600000}")).contains("memory_mb");
    }

    /// The request reader and the cell both find that no node is large enough; only one warns.
    @Test
    void aRequestThatIsTooLargeGetsOneWarning() {
        nodes.join("n1", 8);

        for (String field : List.of("\"gpu_count\":16", "\"cpu_cores\":65")) {
            JsonNode answer = rest.post("/api/v1/jobs", "{\"script\":\"x\"," + field + "}").json();
            assertThat(answer.path("warnings")).as(field).hasSize(1);
        }
    }

    private String warnings(String body) {
        return rest.post("/api/v1/jobs", body).json().path("warnings").toString();
    }

    @Test
    void aRequeuedJobShowsWhyItCouldNotStart() {
        nodes.join("n1", 8);
        String id = rest.submit("{\"script\":\"x\"}");
        nodes.refuse(id, "working directory '/nope' is not there");

        assertThat(rest.job(id).get("state").asText()).isEqualTo("pending");
        assertThat(rest.job(id).get("last_failure").asText()).contains("/nope");
        JsonNode why = rest.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("last_failure").asText()).contains("/nope");
    }

    @Test
    void anAttemptThatNeverWasHasNoLog() {
        nodes.join("n1", 8);
        String id = rest.submit("{\"script\":\"x\"}");

        // The first run is known, although its machine has no agent; a second run never existed.
        String logs = "/api/v1/jobs/" + id + "/logs?attempt=";
        assertThat(rest.get(logs + 1).status()).isEqualTo(503);
        assertThat(rest.get(logs + 2).status()).isEqualTo(404);
        assertThat(rest.get(logs + 2).field("hint")).contains("/events");
    }

    @Test
    void nodesThatAreSilentAreCountedApart() {
        nodes.join("n1", 8).join("n2", 8);
        nodes.silence("n2");
        rest.post("/api/v1/nodes/n1/cordon", "");

        JsonNode status = rest.get("/api/v1/cluster/status").json();
        assertThat(status.get("online_nodes").asInt()).isEqualTo(1);
        assertThat(status.get("unreachable_nodes").asInt()).isEqualTo(1);
        assertThat(status.get("cordoned_nodes").asInt()).isEqualTo(1);
    }
}
