package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/// Forecasts of carbon intensity over REST, and jobs that go by them.
@Timeout(60)
final class CarbonRestTest {
    private static final String DEFAULT = "/api/v1/carbon/default";

    @TempDir Path temp;

    private Running rest;
    private Path data;

    @BeforeEach
    void start() {
        data = temp.resolve("data");
        rest = Running.in(data);
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    private Running.Answered put(String path, String body) {
        return rest.send("PUT", path, body, Map.of());
    }

    /// A forecast whose first slot began within the last hour.
    private static String forecast(String grams) {
        return "{\"from\": \"%s\", \"slot_minutes\": 60, \"grams\": %s}"
                .formatted(Instant.now().truncatedTo(ChronoUnit.HOURS), grams);
    }

    private String refusal(String body) {
        var answer = put(DEFAULT, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        return answer.field("field") + ": " + answer.field("error");
    }

    @Test
    void aForecastIsPutShownListedAndRemoved() {
        assertThat(rest.get(DEFAULT).status()).isEqualTo(404);
        var put = put(DEFAULT, forecast("[300, 280, 120]"));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        JsonNode shown = rest.get(DEFAULT).json();
        assertThat(shown.get("now").asInt()).isEqualTo(300);
        assertThat(shown.get("grams")).hasSize(3);
        assertThat(rest.get("/api/v1/carbon").json().get("total").asInt()).isEqualTo(1);
        assertThat(rest.get("/metrics").text())
                .contains("gpu_scheduler_carbon_intensity_grams{region=\"default\"} 300.0");
        assertThat(rest.delete(DEFAULT).status()).isEqualTo(200);
        assertThat(rest.delete(DEFAULT).status()).isEqualTo(404);
        assertThat(rest.get("/api/v1/carbon").json().get("total").asInt()).isZero();
    }

    @Test
    void badForecastsAreRefusedWithTheFieldAndARemedy() {
        assertThat(refusal(forecast("[300, -1]"))).startsWith("grams[1]: ").contains("found -1");
        assertThat(refusal(forecast("[300.5]"))).startsWith("grams[0]: ").contains("whole number");
        assertThat(refusal(forecast("[\"NaN\"]"))).startsWith("grams[0]: ");
        assertThat(refusal(forecast("[300, null]"))).startsWith("grams[1]: ");
        assertThat(refusal(forecast("[]"))).startsWith("grams: ").contains("0 slots");
        assertThat(refusal(forecast("300"))).startsWith("grams: ");
        assertThat(refusal("{\"grams\": [1]}")).startsWith("from: ").contains("found none");
        assertThat(refusal("{\"from\": \"noon\", \"grams\": [1]}")).contains("\"noon\"");
        assertThat(refusal("{\"from\": \"2020-01-01T00:00:00Z\", \"grams\": [1]}"))
                .startsWith("from: ")
                .contains("ended at 2020-01-01T01:00:00Z");
        assertThat(refusal(forecast("[1]").replace("60", "4"))).startsWith("slot_minutes: ");
        String long15Days = forecast("[" + "1,".repeat(24 * 15) + "1]");
        assertThat(refusal(long15Days)).startsWith("grams: ").contains("at most 14 days");
        assertThat(put("/api/v1/carbon/a%20b", forecast("[1]")).status()).isEqualTo(400);
        assertThat(rest.get("/api/v1/carbon").json().get("total").asInt()).isZero();
    }

    /// Whatever the times, the scheduler goes on.
    @Test
    void aForecastMayBeginWithinAMicrosecondButNotAtTheEndOfTime() {
        String now = Instant.now().truncatedTo(ChronoUnit.HOURS).toString();
        String finer = "{\"from\": \"%s\", \"grams\": [300]}".formatted(now);
        assertThat(put(DEFAULT, finer.replace("Z\"", ".000000001Z\"")).status()).isEqualTo(200);
        assertThat(rest.get(DEFAULT).field("from")).isEqualTo(now);
        assertThat(refusal("{\"from\": \"+1000000000-12-31T23:59:59Z\", \"grams\": [1]}"))
                .startsWith("from: ");
        assertThat(put(DEFAULT, forecast("[310]")).status()).isEqualTo(200);
    }

    @Test
    void onlyAnAdministratorChangesForecasts() {
        put(DEFAULT, forecast("[300]"));
        rest.post("/api/v1/tenants", "{\"id\": \"red\", \"name\": \"red\"}");
        rest.as(rest.post("/api/v1/tenants/red/tokens", "").field("token"));
        assertThat(put(DEFAULT, forecast("[1]")).status()).isEqualTo(403);
        assertThat(rest.delete(DEFAULT).status()).isEqualTo(403);
        assertThat(rest.get(DEFAULT).json().get("now").asInt()).isEqualTo(300);
    }

    @Test
    void aJobWaitsForCleanPowerAndSaysSoAlsoAfterARestart() {
        new FakeNodes(rest.server()).join("n1", 8);
        put(DEFAULT, forecast("[300, 310, 120, 290, 300, 300]"));
        String job =
                rest.submit(
                        """
                        {"gpu_count": 1, "max_runtime_minutes": 30,
                         "carbon": {"shift_hours": 4.5, "max_intensity": 200,
                                    "preferred_regions": ["eu-north"]}}
                        """);
        JsonNode shown = rest.get("/api/v1/jobs/" + job).json();
        assertThat(shown.get("reason").asText())
                .startsWith("power is expected to be cleaner from ")
                .endsWith(": 120 instead of 300 g/kWh");
        assertThat(shown.get("carbon").toString())
                .isEqualTo(
                        "{\"shift_hours\":4.5,\"max_intensity\":200,"
                                + "\"preferred_regions\":[\"eu-north\"]}");
        assertThat(rest.get("/api/v1/jobs/" + job + "/explain").text())
                .contains("120 instead of 300 g/kWh");
        rest.close();
        rest = Running.in(data);
        assertThat(rest.get(DEFAULT).json().get("grams")).hasSize(6);
        assertThat(rest.get("/api/v1/jobs/" + job + "/explain").text())
                .contains("120 instead of 300 g/kWh");
        rest.delete(DEFAULT);
        assertThat(rest.get("/api/v1/jobs/" + job).json().get("reason").asText())
                .doesNotContain("cleaner");
    }

    @Test
    void badWishesAreRefused() {
        var answer = rest.post("/api/v1/jobs", "{\"carbon\": {\"shift_hours\": 169}}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.field("field")).isEqualTo("carbon.shift_hours");
        assertThat(answer.text()).contains("0.0 to 168.0");
        answer = rest.post("/api/v1/jobs", "{\"carbon\": {\"max_intensity\": -5}}");
        assertThat(answer.field("field")).isEqualTo("carbon.max_intensity");
        answer = rest.post("/api/v1/jobs", "{\"carbon\": 6}");
        assertThat(answer.field("field")).isEqualTo("carbon");
        answer = rest.post("/api/v1/jobs", "{\"carbon\": {\"shift\": 6}}");
        assertThat(answer.text()).contains("carbon.shift is not known");
    }
}
