package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The service of the published scheduler agent, as its document describes it.
@Timeout(120)
final class ScoringTest {
    private static final String QUESTION =
            """
            {"job_type": "train-bert",
             "features": {"gpu_mem_gb": 20, "batch_size": 16},
             "candidate_gpu_types": ["A100-80GB", "L4-24GB"],
             "colocated_job_types": []}
            """;
    private static final String RUN =
            """
            {"job_type": "train-bert", "gpu_type": "A100-80GB", "measured_runtime_s": 73.4,
             "colocated_job_types": []}
            """;

    @TempDir static Path temp;

    private static int made;

    private final Path data = temp.resolve("scoring-" + made++);
    private Running rest = Running.in(data);

    @AfterEach
    void stop() {
        rest.close();
    }

    private void restart(Map<String, String> environment) {
        rest.close();
        rest = Running.in(data, environment);
    }

    private JsonNode score(String body) {
        var answered = rest.post("/v1/score", body);
        assertThat(answered.status()).as(answered.text()).isEqualTo(200);
        return answered.json();
    }

    private void observe(String body) {
        var answered = rest.post("/v1/observe", body);
        assertThat(answered.status()).as(answered.text()).isEqualTo(200);
        assertThat(answered.field("status")).isEqualTo("ok");
    }

    private static String run(String kind, String gpu, double seconds, String neighbours) {
        return "{\"job_type\":\"%s\",\"gpu_type\":\"%s\",\"measured_runtime_s\":%s,%s}"
                .formatted(kind, gpu, seconds, "\"colocated_job_types\":[" + neighbours + "]");
    }

    private double metric(String name) {
        double sum = 0;
        for (String line : rest.get("/metrics").text().split("\n")) {
            if (line.startsWith(name + " ") || line.startsWith(name + "{")) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ')));
            }
        }
        return sum;
    }

    @Test
    void theExampleOfTheDocumentGivesTheDocumentedNumbers() {
        JsonNode cold = score(QUESTION);

        assertThat(cold.get("priority_score").asDouble()).isEqualTo(50);
        assertThat(cold.get("terms").get("cost").asDouble()).isCloseTo(9.70731, within(5e-6));
        assertThat(cold.get("terms").get("mu").asDouble()).isEqualTo(10);
        assertThat(cold.get("terms").get("sigma").asDouble()).isEqualTo(5);
        assertThat(cold.get("terms").get("ig").asDouble()).isCloseTo(2.56099, within(5e-6));
        assertThat(cold.get("terms").get("chosen_gpu").asText()).isEqualTo("A100-80GB");
        assertThat(cold.get("gpu_selector").toString())
                .isEqualTo(
                        "{\"nodeSelector\":{\"gpu.nvidia.com/class\":\"A100-80GB\"},"
                                + "\"tolerations\":[{\"key\":\"nvidia.com/gpu\","
                                + "\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}]}");
        assertThat(cold.get("avoid_co_locate_with").isEmpty()).isTrue();

        restart(Map.of("SCHEDULER_EXPLORATION_CAP", "1"));
        observe(RUN);
        JsonNode warm = score(QUESTION);
        assertThat(warm.get("terms").get("chosen_gpu").asText()).isEqualTo("L4-24GB");
        assertThat(warm.get("priority_score").asDouble()).isEqualTo(100);
        JsonNode seen = score(QUESTION.replace(", \"L4-24GB\"", ""));
        assertThat(seen.get("terms").get("cost").asDouble()).isCloseTo(72.98709, within(5e-6));
    }

    @Test
    void gpusThatAreTooSmallAreLeftOut() {
        observe(RUN);
        JsonNode score = score(QUESTION.replace("20", "40"));
        assertThat(score.get("terms").get("chosen_gpu").asText()).isEqualTo("A100-80GB");

        var none = rest.post("/v1/score", QUESTION.replace("20", "100"));
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.field("detail")).contains("100.0 GB");
    }

    @Test
    void mistakesAreAnsweredInTheFormThatClientsKnow() {
        var none = rest.post("/v1/score", "{\"job_type\":\"a\",\"candidate_gpu_types\":[]}");
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.text()).isEqualTo("{\"detail\":\"No candidate GPU types provided\"}\n");

        var missing = rest.post("/v1/score", "{\"candidate_gpu_types\":[\"a\", 7]}");
        assertThat(missing.status()).isEqualTo(422);
        assertThat(missing.text())
                .isEqualTo(
                        "{\"detail\":[{\"type\":\"missing\",\"loc\":[\"body\",\"job_type\"],"
                                + "\"msg\":\"Field required\"},{\"type\":\"string_type\",\"loc\":"
                                + "[\"body\",\"candidate_gpu_types\",1],"
                                + "\"msg\":\"Input should be a valid string\"}]}\n");

        for (String bad : List.of("", "{", "[]", "nonsense", "{\"job_type\": NaN}")) {
            var answered = rest.post("/v1/score", bad);
            assertThat(answered.status()).as(bad).isEqualTo(422);
            assertThat(answered.json().get("detail").isArray()).as(bad).isTrue();
        }
        assertThat(rest.get("/v1/score").text()).startsWith("{\"detail\":");
        assertThat(rest.get("/v1/nothing").text()).startsWith("{\"detail\":");
        assertThat(rest.get("/api/v1/nothing").text()).startsWith("{\"error\":");
    }

    @Test
    void absurdRunsAreRefusedAndTeachNothing() {
        for (String absurd :
                List.of("-1", "0", "\"NaN\"", "\"soon\"", "1e300", "1e9", "null", "[]", "true")) {
            var answered = rest.post("/v1/observe", RUN.replace("73.4", absurd));
            assertThat(answered.status()).as(absurd).isEqualTo(422);
        }
        observe(RUN.replace("}", ", \"success\": false}"));
        assertThat(rest.get("/api/v1/model").json().get("pairs").isEmpty()).isTrue();
    }

    @Test
    void theNamesOfOtherClientsAreUnderstood() {
        observe(
                """
                {"job_type":"a","gpu_type":"NVIDIA A100-SXM4-80GB","runtime_seconds":"30",
                 "wait_seconds":4,"status":"succeeded"}
                """);
        observe(
                """
                {"job_id":"j","job_type":"b","gpu_type":"L4-24GB","actual_runtime":5,
                 "features":{"gpu_mem_gb":8,"batch_size":4,"extra":1},"success":true}
                """);
        JsonNode pairs = rest.get("/api/v1/model").json().get("pairs");
        assertThat(pairs).hasSize(2);
        assertThat(pairs.get(1).get("gpu_type").asText()).isEqualTo("A100-80GB");
        assertThat(pairs.get(1).get("estimate_s").asDouble()).isEqualTo(30);
    }

    @Test
    void manyAndStrangeCandidatesAreBorne() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 4096; i++) {
            names.add("\"gpu-" + i + "\"");
        }
        String many = String.join(",", names);
        String body = "{\"job_type\":\"a\",\"candidate_gpu_types\":[%s]}";
        assertThat(score(body.formatted(many)).get("terms").get("chosen_gpu").asText())
                .isEqualTo("gpu-0");
        assertThat(rest.post("/v1/score", body.formatted(many + ",\"x\"")).status()).isEqualTo(422);
        assertThat(rest.post("/v1/score", body.formatted("\"" + "x".repeat(300) + "\"")).status())
                .isEqualTo(422);
    }

    @Test
    void labelsOfMetricsAreBounded() {
        for (int i = 0; i < 400; i++) {
            score("{\"job_type\":\"k%d\",\"candidate_gpu_types\":[\"g%d\"]}".formatted(i, i));
            observe(run("k" + i, "g" + i, 3, ""));
        }
        String text = rest.get("/metrics").text();
        long decisions = text.lines().filter(l -> l.startsWith("scheduler_decisions_t")).count();
        long observed = text.lines().filter(l -> l.startsWith("scheduler_observe_ev")).count();
        assertThat(decisions).isBetween(64L, 2 * 65L);
        assertThat(observed).isBetween(256L, 257L);
        assertThat(metric("scheduler_decisions_total")).isEqualTo(400);
        assertThat(metric("scheduler_observe_events_total")).isEqualTo(400);
        assertThat(metric("scheduler_scoring_duration_seconds_count")).isEqualTo(400);
        assertThat(metric("scheduler_avg_uncertainty")).isEqualTo(1);
    }

    @Test
    void probesCountNothing() {
        for (int i = 0; i < 5; i++) {
            assertThat(rest.get("/readyz").text()).isEqualTo("{\"status\":\"ready\"}\n");
            assertThat(rest.get("/healthz").text()).isEqualTo("{\"status\":\"healthy\"}\n");
        }
        assertThat(metric("scheduler_decisions_total")).isZero();
        assertThat(rest.get("/api/v1/model").json().get("decisions").get("total").asInt()).isZero();
    }

    @Test
    void theServiceShowsItsSettings() {
        restart(
                Map.of(
                        "SCHEDULER_LAMBDA_UNCERTAINTY", "0.4",
                        "scheduler_enable_interference", "true",
                        "SCHEDULER_ENABLE_SINKHORN", "true",
                        "SCHEDULER_BETA_EXPLORATION", "0.1",
                        "GPU_SCHEDULER_LEARNING_BETA_EXPLORATION", "0.9"));
        JsonNode service = rest.get("/").json();
        assertThat(service.get("service").asText())
                .isEqualTo("information-theoretic-gpu-scheduler");
        assertThat(service.get("version").asText()).isEqualTo("1.0.0");
        assertThat(service.get("config").toString())
                .isEqualTo(
                        "{\"lambda_uncertainty\":0.4,\"beta_exploration\":0.9,"
                                + "\"gamma_interference\":0,\"exploration_cap\":0.25,"
                                + "\"enable_interference\":true,\"enable_sinkhorn\":true,"
                                + "\"tau_squared\":0.15,\"retention_observations\":1000}");
    }

    @Test
    void neighboursAreHeededWhereThatIsWanted() {
        for (int i = 0; i < 5; i++) {
            observe(run("a", "L4", 5, ""));
            observe(run("a", "L4", 8, "\"one\""));
            observe(run("a", "L4", 8, "\"two\""));
        }
        String body =
                """
                {"job_type":"a","candidate_gpu_types":["L4"],"colocated_job_types":["one","two"]}
                """;
        assertThat(score(body).get("avoid_co_locate_with").isEmpty()).isTrue();
        assertThat(score(body).get("terms").get("penalty").asDouble()).isZero();

        restart(Map.of("SCHEDULER_ENABLE_INTERFERENCE", "true"));
        assertThat(score(body).get("avoid_co_locate_with").toString())
                .isEqualTo("[\"one\",\"two\"]");
        assertThat(score(body).get("terms").get("penalty").asDouble()).isGreaterThan(0.1);
        assertThat(score(body).get("terms").get("mu").asDouble()).isEqualTo(5);
    }

    @Test
    void countsAndStatisticsOutliveTheProcess() {
        observe(RUN);
        for (int i = 0; i < 40; i++) {
            score("{\"job_type\":\"k%d\",\"candidate_gpu_types\":[\"L4\"]}".formatted(i));
        }
        String learned = rest.get("/api/v1/model").text();
        assertThat(learned).contains("\"total\":40,\"explored\":10");

        restart(Map.of());
        assertThat(rest.get("/api/v1/model").text()).isEqualTo(learned);
        assertThat(metric("scheduler_exploration_ratio")).isEqualTo(0.25);
        assertThat(uncertain(40)).isEqualTo(10);
    }

    @Test
    void aCrashLosesNothingThatWasAcknowledged() {
        observe(RUN);
        for (int i = 0; i < 20; i++) {
            score("{\"job_type\":\"k%d\",\"candidate_gpu_types\":[\"L4\"]}".formatted(i));
        }
        String learned = rest.get("/api/v1/model").text();
        Soon.that("counts are recorded", () -> modelAfterACrash().equals(learned));
    }

    private String modelAfterACrash() {
        try (Running again = Running.in(Crash.of(data, temp.resolve("crashed-" + made++)))) {
            return again.get("/api/v1/model").text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theCapHoldsWhenTheProcessIsKilledRightAfterAScore() throws Exception {
        int uncertain = uncertain(60);
        assertThat(uncertain).isEqualTo(15);
        Path crashed = Crash.of(data, temp.resolve("crashed-" + made++));
        rest.close();
        rest = Running.in(crashed);
        uncertain += uncertain(60);
        assertThat(uncertain).as("of 120, however much was on record").isLessThanOrEqualTo(30);
    }

    /// How many of so many scores explored.
    private int uncertain(int scores) {
        int uncertain = 0;
        for (int i = 0; i < scores; i++) {
            JsonNode score =
                    score("{\"job_type\":\"k%d\",\"candidate_gpu_types\":[\"L4\"]}".formatted(i));
            uncertain += score.get("terms").get("sigma").asDouble() > 1 ? 1 : 0;
        }
        return uncertain;
    }

    @Test
    void theCapHoldsWhenManyAskAtOnce() throws InterruptedException {
        var sigmas = new ConcurrentLinkedQueue<Double>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 8; i++) {
            int from = i;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int j = 0; j < 50; j++) {
                                            sigmas.add(
                                                    score(QUESTION.replace("bert", from + "-" + j))
                                                            .get("terms")
                                                            .get("sigma")
                                                            .asDouble());
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(sigmas).hasSize(400);
        long explored = sigmas.stream().filter(sigma -> sigma > 1).count();
        assertThat(explored).isLessThanOrEqualTo(100);
        // A score does not wait until an exploration is reserved durably, so on a busy machine some
        // choices were made without exploring; later ones make up for them, up to the cap.
        long choices = 400;
        while (explored < choices / 4) {
            boolean explores =
                    score(QUESTION.replace("bert", "later-" + choices))
                                    .get("terms")
                                    .get("sigma")
                                    .asDouble()
                            > 1;
            choices++;
            explored += explores ? 1 : 0;
            assertThat(explored).isLessThanOrEqualTo(choices / 4);
            assertThat(choices).as("choices until exploring has caught up").isLessThan(20_000);
        }
        assertThat(metric("scheduler_exploration_ratio"))
                .isCloseTo((double) explored / choices, within(1e-9));
    }

    @Test
    void anExportedModelCanBeImported() {
        observe(RUN);
        observe(RUN.replace("[]", "[\"noisy\"]").replace("73.4", "91.7"));
        JsonNode model = rest.get("/api/v1/model").json();
        rest.close();
        rest = Running.in(temp.resolve("elsewhere-" + made++));

        assertThat(rest.get("/api/v1/model").json().get("coverage").isNull())
                .as("nothing was foreseen yet")
                .isTrue();
        var taken = rest.post("/api/v1/model", model.toString());
        assertThat(taken.json().get("pairs").asInt()).isEqualTo(1);
        assertThat(taken.json().get("slowdowns").asInt()).isEqualTo(1);
        assertThat(taken.json().get("warnings").get(0).asText()).contains("model?runs=64");
        JsonNode again = rest.get("/api/v1/model").json();
        assertThat(again.get("pairs")).isEqualTo(model.get("pairs"));
        assertThat(again.get("slowdowns")).isEqualTo(model.get("slowdowns"));
        assertThat(rest.post("/api/v1/model", "{\"pairs\":[{\"job_type\":\"a\"}]}").status())
                .isEqualTo(400);
    }

    @Test
    void aTimeThatCannotBeIsRefusedAndTheSchedulerGoesOn() {
        String pair =
                "{\"pairs\":[{\"job_type\":\"a\",\"gpu_type\":\"L4\",\"alone\":{\"mean\":1,"
                        + "\"variance\":1,\"samples\":1},\"last_change\":\"WHEN\"}]}";
        for (String when : List.of("+1000000000-12-31T23:59:59Z", "1969-12-31T00:00:00Z")) {
            var refused = rest.post("/api/v1/model", pair.replace("WHEN", when));
            assertThat(refused.status()).as(when).isEqualTo(400);
            assertThat(refused.text()).contains("last_change");
        }
        assertThat(
                        rest.post("/api/v1/model", pair.replace("WHEN", "2026-01-01T00:00:00Z"))
                                .status())
                .isEqualTo(200);
    }

    @Test
    void whatOwnRunsTaughtIsShownWithAllThatBelongsToIt() {
        for (int i = 0; i < 12; i++) {
            observe(run("bert", "A100-80GB", 70 + i, ""));
        }
        JsonNode one = rest.get("/api/v1/model").json().get("run_times").get(0);
        assertThat(one.get("job_type").asText()).isEqualTo("bert");
        assertThat(one.get("gpu_type").asText()).isEqualTo("A100-80GB");
        assertThat(one.get("estimate_s").asDouble()).isBetween(70.0, 82.0);
        assertThat(one.get("uncertainty_s").asDouble()).isBetween(0.1, 20.0);
        assertThat(one.get("samples").asInt()).isEqualTo(12);
        assertThat(Instant.parse(one.get("last_change").asText()))
                .as("the scheduler's time may differ a little from the machine's")
                .isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        assertThat(one.get("drifts").asInt()).isZero();
        assertThat(one.get("last_drift").isNull()).isTrue();
        assertThat(one.has("runs")).isFalse();
        JsonNode runs = rest.get("/api/v1/model?runs=5").json().get("run_times").get(0).get("runs");
        assertThat(runs.size()).as("the newest").isEqualTo(5);
        assertThat(runs.get(4).get("seconds").asDouble()).isCloseTo(81, within(1e-6));
    }

    @Test
    void theModelOfOwnRunsCanBeImported() {
        for (int i = 0; i < 12; i++) {
            observe(run("bert", "A100-80GB", 70 + i, ""));
            observe(run("bert", "L4", 200 + i, ""));
            observe(run("bert", "L4", 300, "\"noisy\""));
        }
        JsonNode model = rest.get("/api/v1/model?runs=64").json();
        rest.close();
        Path elsewhere = temp.resolve("elsewhere-" + made++);
        rest = Running.in(elsewhere);

        JsonNode taken = rest.post("/api/v1/model", model.toString()).json();
        assertThat(taken.get("run_times").asInt()).isEqualTo(2);
        assertThat(taken.get("interference").asInt()).isEqualTo(2);
        JsonNode again = rest.get("/api/v1/model?runs=64").json();
        assertThat(again.get("interference")).isEqualTo(model.get("interference"));
        for (int i = 0; i < 2; i++) {
            JsonNode before = model.get("run_times").get(i);
            JsonNode after = again.get("run_times").get(i);
            for (String same : List.of("job_type", "gpu_type", "samples", "last_change")) {
                assertThat(after.get(same)).as(same).isEqualTo(before.get(same));
            }
            assertThat(after.get("estimate_s").asDouble())
                    .isCloseTo(before.get("estimate_s").asDouble(), withinPercentage(2));
            assertThat(after.get("runs").size()).isEqualTo(before.get("runs").size());
        }
        rest.close();
        rest = Running.in(elsewhere);
        assertThat(rest.get("/api/v1/model?runs=64").json().get("run_times"))
                .as("after a restart")
                .isEqualTo(again.get("run_times"));
    }

    @Test
    void whatCannotBeAModelIsRefusedByField() {
        assertRefused("{}", "", "expected one of pairs");
        assertRefused(
                "{\"run_times\":[{\"job_type\":\"a\",\"runs\":[{\"seconds\":-3}]}]}",
                "run_times[0].runs[0].seconds",
                "");
        assertRefused(
                "{\"run_times\":[{\"gpu_type\":\"L4\",\"runs\":[{\"seconds\":3}]}]}",
                "run_times[0].job_type",
                "expected a name");
        assertRefused(
                "{\"interference\":[{\"job_type\":\"a\",\"neighbour\":\"b\",\"log_factor\":1e9}]}",
                "interference[0].log_factor",
                "");
        assertThat(rest.get("/api/v1/model").json().get("run_times").isEmpty()).isTrue();
    }

    private void assertRefused(String body, String field, String message) {
        var answer = rest.post("/api/v1/model", body);
        assertThat(answer.status()).as(body).isEqualTo(400);
        assertThat(answer.json().path("field").asText("")).as(body).isEqualTo(field);
        assertThat(answer.json().get("error").asText()).as(body).contains(message);
        assertThat(answer.json().path("hint").asText()).as(body).isNotEmpty();
    }

    @Test
    void onlySoManyPairsAreKept() {
        restart(Map.of("SCHEDULER_RETENTION_OBSERVATIONS", "5"));
        for (int i = 0; i < 8; i++) {
            observe(run("k" + i, "L4", 3, ""));
        }
        assertThat(rest.get("/api/v1/model").json().get("pairs").findValuesAsText("job_type"))
                .containsExactly("k7", "k6", "k5", "k4", "k3");
    }
}
