package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/// `GET /api/v1/jobs`: pages, and lists by state and tenant.
@Timeout(60)
final class JobListRestTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    private Running rest;
    private FakeNodes nodes;

    @BeforeEach
    void start() {
        rest = Running.in(temp);
        nodes = new FakeNodes(rest.server());
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void listsAreNewestFirstAndCountAllMatches() {
        for (int i = 1; i <= 7; i++) {
            rest.submit("{\"name\":\"job " + i + "\"}");
        }
        rest.delete("/api/v1/jobs/job-2");

        JsonNode page = rest.get("/api/v1/jobs?limit=3&offset=1").json();
        assertThat(page.get("total").asInt()).isEqualTo(7);
        assertThat(page.get("jobs").findValuesAsText("name"))
                .containsExactly("job 6", "job 5", "job 4");
        assertThat(page.get("jobs").findValuesAsText("queue_position"))
                .containsExactly("5", "4", "3");
        JsonNode cancelled = rest.get("/api/v1/jobs?state=cancelled").json();
        assertThat(cancelled.get("total").asInt()).isOne();
        assertThat(cancelled.get("jobs").get(0).get("id").asText()).isEqualTo("job-2");
        rest.post("/api/v1/tenants", "{\"id\":\"idle\",\"name\":\"I\"}");
        assertThat(rest.get("/api/v1/jobs?tenant_id=idle").json().get("total").asInt()).isZero();
        assertThat(rest.get("/api/v1/jobs?limit=0").json().get("jobs")).isEmpty();
    }

    @Test
    void severalStatesAreListedTogether() {
        String ended = rest.submit("{}");
        rest.delete("/api/v1/jobs/" + ended);
        nodes.join("n1", 8);
        String running = rest.submit("{}");
        nodes.run(running);
        rest.submit("{\"gpu_count\":9}");

        for (String query :
                List.of(
                        "state=running,cancelled",
                        "status=cancelled,%20running",
                        "state=running&state=cancelled")) {
            JsonNode found = rest.get("/api/v1/jobs?" + query).json();
            assertThat(found.get("jobs").findValuesAsText("id"))
                    .as(query)
                    .containsExactly(running, ended);
            assertThat(found.get("total").asInt()).as(query).isEqualTo(2);
        }
        assertThat(rest.get("/api/v1/jobs?state=running,cancelled&active=true").json().get("jobs"))
                .hasSize(1);
    }

    @Test
    void theQueueIsListedInTheOrderOfItsPositions() {
        String low = rest.submit("{\"name\":\"low\",\"priority\":1}");
        String held = rest.submit("{\"name\":\"held\",\"priority\":900}");
        String high = rest.submit("{\"name\":\"High\",\"priority\":500}");
        String middle = rest.submit("{\"name\":\"middle\",\"priority\":50}");
        rest.delete("/api/v1/jobs/" + rest.submit("{\"name\":\"gone\"}"));
        rest.post("/api/v1/jobs/" + held + "/hold", "");

        JsonNode queue = rest.get("/api/v1/jobs?sort=position").json();
        assertThat(queue.get("jobs").findValuesAsText("id"))
                .containsExactly(high, middle, low, held);
        assertThat(queue.get("jobs").findValuesAsText("queue_position"))
                .containsExactly("1", "2", "3", "-1");
        assertThat(queue.get("total").asInt()).isEqualTo(4);
        assertThat(
                        rest.get("/api/v1/jobs?sort=position&offset=1&limit=2")
                                .json()
                                .get("jobs")
                                .findValuesAsText("id"))
                .containsExactly(middle, low);
    }

    @Test
    void aListBySortAndNameRefusesWhatItCannotAnswer() {
        for (String query :
                List.of(
                        "sort=oldest",
                        "sort=position&state=running",
                        "sort=position&history=true",
                        "name=a&history=true")) {
            assertThat(rest.get("/api/v1/jobs?" + query).status()).as(query).isEqualTo(400);
        }
        assertThat(rest.get("/api/v1/jobs?sort=position&state=pending").status()).isEqualTo(200);
    }

    @Test
    void jobsAreFoundByAPartOfTheirName() {
        rest.submit("{\"name\":\"train-Large-1\"}");
        rest.submit("{\"name\":\"other\"}");
        rest.submit("{\"name\":\"LARGE\"}");

        for (String sort : List.of("newest", "position")) {
            JsonNode found = rest.get("/api/v1/jobs?name=large&limit=1&sort=" + sort).json();
            assertThat(found.get("total").asInt()).as(sort).isEqualTo(2);
            assertThat(found.get("jobs").findValuesAsText("name"))
                    .as(sort)
                    .containsExactly(sort.equals("newest") ? "LARGE" : "train-Large-1");
        }
        assertThat(rest.get("/api/v1/jobs?name=absent").json().get("total").asInt()).isZero();
    }
}
