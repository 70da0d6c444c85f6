package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Every route, against the real server.
@Timeout(60)
final class RestTest {
    @TempDir static Path temp;

    private static int made;

    private Running rest = Running.in(temp.resolve("data-" + made++));
    private final FakeNodes nodes = new FakeNodes(rest.server());

    @BeforeEach
    void fresh() {
        assertThat(rest.get("/health").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aSubmissionIsAnsweredInTheWordsOfOld() {
        var answered =
                rest.post("/api/v1/jobs", "{\"name\":\"first\",\"gpu_count\":2,\"script\":\"x\"}");

        assertThat(answered.status()).isEqualTo(201);
        assertThat(answered.text())
                .isEqualTo(
                        "{\"job_id\":\"job-1\",\"status\":\"submitted\","
                                + "\"message\":\"Job submitted successfully\"}\n");
        assertThat(answered.headers()).containsEntry("content-type", "application/json");
    }

    @Test
    void missingFieldsHaveTheDocumentedDefaults() {
        JsonNode job = rest.job(rest.submit("{}"));

        assertThat(job.get("tenant_id").asText()).isEqualTo("default");
        assertThat(job.get("gpu_count").asInt()).isEqualTo(1);
        assertThat(job.get("cpu_cores").asInt()).isEqualTo(1);
        assertThat(job.get("memory_mb").asInt()).isZero();
        assertThat(job.get("priority").asInt()).isEqualTo(100);
        assertThat(job.get("grace_seconds").asInt()).isEqualTo(30);
        assertThat(job.get("state").asText()).isEqualTo("pending");
        assertThat(job.get("status")).isEqualTo(job.get("state"));
        assertThat(job.get("queue_position").asInt()).isEqualTo(1);
        assertThat(job.get("allocated_gpus").isNull()).isTrue();
        assertThat(job.get("estimated_wait").isNull()).isTrue();
        assertThat(job.get("logs").asText()).isEmpty();
        assertThat(job.get("metrics").isNull()).isTrue();
    }

    @Test
    void aJobIsShownAsItWasSubmitted() {
        JsonNode job =
                rest.job(
                        rest.submit(
                                """
                                {"name":"training","priority":1000,"gpu_count":4,"gpu_memory_mb":40000,
                                 "cpu_cores":16,"memory_mb":64000,"command":["python","train.py"],
                                 "args":["--epochs","100"],"image":"pytorch:2.0",
                                 "environment":{"A":"b"},"max_runtime_minutes":1440,
                                 "gpu_model":["A100","H100-80GB"],"node_selector":{"zone":"a"},
                                 "tolerations":[{"key":"k","operator":"Exists"}],
                                 "working_dir":"/data","grace_seconds":60,"checkpoint_enabled":true,
                                 "labels":{"team":"vision"}}
                                """));

        assertThat(job.get("name").asText()).isEqualTo("training");
        assertThat(job.get("gpu_memory_mb").asInt()).isEqualTo(40_000);
        assertThat(job.get("cpu_cores").asInt()).isEqualTo(16);
        assertThat(job.get("command").toString()).isEqualTo("[\"python\",\"train.py\"]");
        assertThat(job.get("args").toString()).isEqualTo("[\"--epochs\",\"100\"]");
        assertThat(job.get("environment").toString()).isEqualTo("{\"A\":\"b\"}");
        assertThat(job.get("max_runtime").asInt()).isEqualTo(86_400);
        assertThat(job.get("max_runtime_minutes").asInt()).isEqualTo(1440);
        assertThat(job.get("gpu_model").toString()).isEqualTo("[\"A100\",\"H100-80GB\"]");
        assertThat(job.get("node_selector").toString()).isEqualTo("{\"zone\":\"a\"}");
        assertThat(job.get("tolerations").get(0).get("operator").asText()).isEqualTo("Exists");
        assertThat(job.get("working_dir").asText()).isEqualTo("/data");
        assertThat(job.get("grace_seconds").asInt()).isEqualTo(60);
        assertThat(job.get("checkpoint_enabled").asBoolean()).isTrue();
        assertThat(job.get("labels").toString()).isEqualTo("{\"team\":\"vision\"}");
    }

    @Test
    void aJobGoesFromPendingToCompletedAndTellsItsStory() {
        nodes.join("n1", 8);
        String id = rest.submit("{\"gpu_count\":2}");
        assertThat(rest.job(id).get("state").asText()).isEqualTo("scheduled");
        nodes.run(id);
        JsonNode running = rest.job(id);
        assertThat(running.get("state").asText()).isEqualTo("running");
        assertThat(running.get("node_name").asText()).isEqualTo("n1");
        assertThat(running.get("allocated_gpus").toString()).isEqualTo("[\"n1:0\",\"n1:1\"]");
        assertThat(running.get("queue_position").asInt()).isZero();
        nodes.end(id, 0);

        JsonNode ended = rest.job(id);
        assertThat(ended.get("state").asText()).isEqualTo("completed");
        assertThat(ended.get("exit_code").asInt()).isZero();
        assertThat(ended.get("completed_at").asText()).isNotEmpty();
        assertThat(ended.get("actual_duration").isNumber()).isTrue();
        var kinds = new ArrayList<String>();
        rest.get("/api/v1/jobs/" + id + "/events")
                .json()
                .get("events")
                .forEach(event -> kinds.add(event.get("kind").asText()));
        assertThat(kinds).containsExactly("submitted", "scheduled", "running", "completed");
    }

    @Test
    void aFailedJobShowsItsExitCode() {
        nodes.join("n1", 8);
        String id = rest.submit("{}");
        nodes.run(id);
        nodes.end(id, 3);

        assertThat(rest.job(id).get("state").asText()).isEqualTo("failed");
        assertThat(rest.job(id).get("exit_code").asInt()).isEqualTo(3);
    }

    @Test
    void positionsFollowPriority() {
        String low = rest.submit("{\"priority\":100}");
        String high = rest.submit("{\"priority\":1000}");
        String middle = rest.submit("{\"priority\":500}");

        assertThat(rest.job(high).get("queue_position").asInt()).isEqualTo(1);
        assertThat(rest.job(middle).get("queue_position").asInt()).isEqualTo(2);
        assertThat(rest.job(low).get("queue_position").asInt()).isEqualTo(3);

        var changed = rest.patch("/api/v1/jobs/" + low, "{\"priority\":2000}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().get("queue_position").asInt()).isEqualTo(1);
        assertThat(changed.json().get("priority").asInt()).isEqualTo(2000);
    }

    @Test
    void aHeldJobWaitsUntilItIsReleased() {
        nodes.join("n1", 8);
        String id = rest.submit("{\"held\":true}");
        assertThat(rest.job(id).get("state").asText()).isEqualTo("pending");
        assertThat(rest.job(id).get("queue_position").asInt()).isEqualTo(-1);
        assertThat(rest.job(id).get("reason").asText()).contains("held");

        assertThat(rest.post("/api/v1/jobs/" + id + "/release", "").field("state"))
                .isEqualTo("scheduled");
        assertThat(rest.post("/api/v1/jobs/" + id + "/hold", "").status()).isEqualTo(409);
    }

    @Test
    void cancellingAWaitingJobEndsItAndAnEndedOneIsAConflict() {
        String id = rest.submit("{}");
        var cancelled = rest.delete("/api/v1/jobs/" + id);

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.text()).isEqualTo("{\"message\":\"Job cancelled successfully\"}\n");
        assertThat(rest.job(id).get("state").asText()).isEqualTo("cancelled");
        var again = rest.delete("/api/v1/jobs/" + id);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.field("code")).isEqualTo("wrong_state");
    }

    @Test
    void cancellingARunningJobStopsItFirst() {
        nodes.join("n1", 8);
        String id = rest.submit("{}");
        nodes.run(id);
        assertThat(rest.delete("/api/v1/jobs/" + id).status()).isEqualTo(200);

        assertThat(rest.job(id).get("state").asText()).isEqualTo("running");
        assertThat(rest.job(id).get("reason").asText()).contains("cancelled");
        nodes.end(id, 143);
        assertThat(rest.job(id).get("state").asText()).isEqualTo("cancelled");
    }

    @Test
    void aJobThatCannotStartIsExplained() {
        nodes.join("n1", 2);
        String id = rest.submit("{\"gpu_count\":4}");

        JsonNode why = rest.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("job_id").asText()).isEqualTo(id);
        assertThat(why.get("state").asText()).isEqualTo("pending");
        assertThat(why.get("summary").asText()).isNotEmpty();
        assertThat(why.get("position").asInt()).isEqualTo(1);
        JsonNode reason = why.get("reasons").get(0);
        assertThat(reason.get("by").asText()).isNotEmpty();
        assertThat(reason.get("why").asText()).isNotEmpty();
        assertThat(reason.get("nodes").asInt()).isEqualTo(1);
        assertThat(reason.get("lifted_by").size()).isPositive();
        assertThat(why.get("score_terms").isArray()).isTrue();
        assertThat(rest.job(id).get("message").asText()).isNotEmpty();
    }

    @Test
    void aPlacedJobIsExplainedByWhatDecided() {
        nodes.join("n1", 2).join("n2", 8);
        String id = rest.submit("{\"gpu_count\":2}");

        JsonNode why = rest.get("/api/v1/jobs/" + id + "/explain").json();
        assertThat(why.get("position").isNull()).isTrue();
        assertThat(why.get("summary").asText()).contains("n1");
        assertThat(why.get("node_name").asText()).isEqualTo("n1");
        assertThat(why.get("score_terms").findValuesAsText("name"))
                .containsExactly("best-fit", "spare-scarce");
    }

    @Test
    void aJobTooLargeForAnyNodeIsAcceptedWithAWarning() {
        nodes.join("n1", 8);
        var answered = rest.post("/api/v1/jobs", "{\"gpu_count\":16}");

        assertThat(answered.status()).isEqualTo(201);
        assertThat(answered.json().get("warnings").get(0).asText()).contains("gang_scheduling");
    }

    @Test
    void aGangIsSplitOverNodes() {
        nodes.join("n1", 8).join("n2", 8);
        String id = rest.submit("{\"gpu_count\":16,\"gang_scheduling\":true}");

        JsonNode job = rest.job(id);
        assertThat(job.get("tasks").asInt()).isEqualTo(2);
        assertThat(job.get("gang_scheduling").asBoolean()).isTrue();
        assertThat(job.get("node_name").asText()).isEqualTo("n1,n2");
        assertThat(job.get("allocated_gpus").size()).isEqualTo(16);
    }

    @Test
    void unknownFieldsAreNamedInWarnings() {
        var answered = rest.post("/api/v1/jobs", "{\"gpu_cuont\":2,\"name\":\"x\"}");

        assertThat(answered.status()).isEqualTo(201);
        assertThat(answered.json().get("warnings").get(0).asText())
                .contains("gpu_cuont")
                .contains("gpu_count");
    }

    @Test
    void logsOfAJobThatHasNotRunAreEmpty() {
        String id = rest.submit("{}");
        var logs = rest.get("/api/v1/jobs/" + id + "/logs?offset=5");

        assertThat(logs.status()).isEqualTo(200);
        assertThat(logs.text()).isEmpty();
        assertThat(logs.headers()).containsEntry("x-log-next-offset", "5");
        assertThat(logs.headers().get("content-type")).startsWith("text/plain");
    }

    @Test
    void tenantsAreMadeShownChangedAndRemoved() {
        var made =
                rest.post(
                        "/api/v1/tenants",
                        "{\"name\":\"ML Research\",\"max_gpus\":16,\"priority_tier\":\"high\"}");
        assertThat(made.status()).isEqualTo(201);
        String id = made.field("id");
        assertThat(id).startsWith("tenant-");
        assertThat(made.json().get("max_gpus").asInt()).isEqualTo(16);
        assertThat(made.json().get("max_cpu_cores").isNull()).isTrue();
        assertThat(made.json().get("active").asBoolean()).isTrue();
        assertThat(made.field("priority_tier")).isEqualTo("high");
        assertThat(made.field("created_at")).startsWith("20");

        var changed = rest.patch("/api/v1/tenants/" + id, "{\"max_gpus\":8,\"email\":\"a@b\"}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.json().get("max_gpus").asInt()).isEqualTo(8);
        assertThat(changed.field("name")).isEqualTo("ML Research");
        assertThat(changed.field("email")).isEqualTo("a@b");
        var lifted = rest.patch("/api/v1/tenants/" + id, "{\"max_gpus\":null}");
        assertThat(lifted.json().get("max_gpus").isNull()).isTrue();

        JsonNode all = rest.get("/api/v1/tenants").json();
        assertThat(all.get("total").asInt()).isEqualTo(2);
        assertThat(rest.delete("/api/v1/tenants/" + id).status()).isEqualTo(200);
        assertThat(rest.get("/api/v1/tenants/" + id).status()).isEqualTo(404);
        assertThat(rest.delete("/api/v1/tenants/default").status()).isEqualTo(409);
    }

    /// Concurrent changes of different fields: none may undo another.
    @Test
    void changesOfOneTenantAtOnceAreAllKept() throws Exception {
        rest.post("/api/v1/tenants", "{\"id\":\"busy\",\"name\":\"Busy\"}");
        List<String> fields =
                List.of("max_gpus", "max_cpu_cores", "max_memory_mb", "max_concurrent_jobs");
        for (int value = 1; value <= 20; value++) {
            int wanted = value;
            var changes = new ArrayList<Callable<Integer>>();
            for (String field : fields) {
                String body = "{\"" + field + "\":" + wanted + "}";
                changes.add(() -> rest.patch("/api/v1/tenants/busy", body).status());
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Integer> status : threads.invokeAll(changes)) {
                    assertThat(status.get()).isEqualTo(200);
                }
            }
            JsonNode tenant = rest.get("/api/v1/tenants/busy").json();
            for (String field : fields) {
                assertThat(tenant.path(field).asInt()).as(field).isEqualTo(wanted);
            }
        }
    }

    @Test
    void usageOfATenantGrowsAndShrinksWithItsJobs() {
        nodes.join("n1", 8);
        rest.post("/api/v1/tenants", "{\"id\":\"a\",\"name\":\"A\",\"max_gpus\":4}");
        String id = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":3,\"cpu_cores\":6}");
        JsonNode tenant = rest.get("/api/v1/tenants/a").json();
        assertThat(tenant.get("current_gpus").asInt()).isEqualTo(3);
        assertThat(tenant.get("current_cpu_cores").asInt()).isEqualTo(6);
        assertThat(tenant.get("current_jobs").asInt()).isEqualTo(1);
        assertThat(tenant.get("total_jobs").asInt()).isEqualTo(1);
        String second = rest.submit("{\"tenant_id\":\"a\",\"gpu_count\":2}");
        assertThat(rest.job(second).get("state").asText()).isEqualTo("pending");
        assertThat(rest.job(second).get("message").asText()).contains("quota");

        nodes.run(id);
        nodes.end(id, 0);
        JsonNode after = rest.get("/api/v1/tenants/a").json();
        assertThat(after.get("current_gpus").asInt()).isEqualTo(2);
        assertThat(after.get("successful_jobs").asInt()).isEqualTo(1);
    }

    @Test
    void aJobThatNeverFitsItsQuotaIsRefusedInTheWordsOfOld() {
        rest.post("/api/v1/tenants", "{\"id\":\"tenant-123\",\"name\":\"A\",\"max_gpus\":4}");
        var refused = rest.post("/api/v1/jobs", "{\"tenant_id\":\"tenant-123\",\"gpu_count\":8}");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.field("error"))
                .isEqualTo(
                        "quota exceeded for tenant tenant-123: GPUs requested=8, quota=4,"
                                + " current=0");
        assertThat(refused.field("code")).isEqualTo("quota");
        assertThat(refused.field("field")).isEqualTo("gpu_count");
        assertThat(refused.field("hint")).contains("ask for at most 4 GPUs");
    }

    @Test
    void aDryRunWarnsOfWhatTheFleetCouldNeverTake() {
        nodes.join("n1", 8);
        String body = "{\"gpu_count\":24,\"gang_scheduling\":true,\"command\":[\"x\"]}";
        JsonNode seen = rest.post("/api/v1/jobs?dry_run=true", body).json();
        assertThat(seen.at("/warnings/0").asText())
                .contains("even when idle, can run 1 of 3 tasks");
        JsonNode fits = rest.post("/api/v1/jobs?dry_run=true", "{\"command\":[\"x\"]}").json();
        assertThat(fits.get("summary").asText()).isEqualTo("it would start now");
        assertThat(fits.get("warnings")).isEmpty();
    }

    @Test
    void aQuotaIsHintedAtInTheUnitsAskedFor() {
        rest.post("/api/v1/tenants", "{\"id\":\"small\",\"name\":\"small\",\"max_gpus\":1}");
        String slices = "{\"tenant_id\":\"small\",\"gpu_count\":9,\"mig_profile\":\"1g.5gb\"}";
        assertThat(rest.post("/api/v1/jobs", slices).field("hint"))
                .startsWith("ask for at most 7 slices of 1g.5gb");
        String whole = "{\"tenant_id\":\"small\",\"gpu_count\":2}";
        assertThat(rest.post("/api/v1/jobs", whole).field("hint"))
                .startsWith("ask for at most 1 GPU, or");
        String shares = "{\"tenant_id\":\"small\",\"gpu_count\":3,\"gpu_percent\":40}";
        assertThat(rest.post("/api/v1/jobs", shares).field("hint"))
                .startsWith("ask for at most 100 % of a GPU in all");
    }

    @Test
    void aKeyMakesOneJobHoweverOftenItIsSent() {
        var key = Map.of("Idempotency-Key", "abc");
        var first = rest.send("POST", "/api/v1/jobs", "{\"name\":\"x\"}", key);
        var second = rest.send("POST", "/api/v1/jobs", "{\"name\":\"x\"}", key);
        var other = rest.send("POST", "/api/v1/jobs", "{\"name\":\"y\"}", key);

        assertThat(second.text()).isEqualTo(first.text());
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.field("code")).isEqualTo("key_reused");
        assertThat(other.field("field")).isEqualTo("Idempotency-Key");
        assertThat(other.field("hint")).isEqualTo("use a new key for a new job");
        assertThat(rest.get("/api/v1/jobs").json().get("total").asInt()).isEqualTo(1);
    }

    @Test
    void probesSayThatAllIsWell() {
        for (String path : List.of("/health", "/healthz", "/api/v1/health")) {
            assertThat(rest.get(path).text()).isEqualTo("{\"status\":\"healthy\"}\n");
        }
        assertThat(rest.get("/readyz").text()).isEqualTo("{\"status\":\"ready\"}\n");
        assertThat(rest.send("HEAD", "/health", null, Map.of()).status()).isEqualTo(200);
    }

    @Test
    void metricsAreOnBothPortsUnderTheDocumentedNames() {
        nodes.join("n1", 2);
        rest.submit("{}");
        for (String url : List.of("/metrics", rest.server().metricsUrl())) {
            String text = rest.get(url).text();
            assertThat(text)
                    .contains("gpu_scheduler_jobs_total{state=\"pending\"} 1.0")
                    .contains("gpu_scheduler_jobs_total{state=\"scheduled\"} 1.0")
                    .contains("gpu_scheduler_queue_size 0.0")
                    .contains("gpu_scheduler_gpu_utilization{node=\"n1\"} 0.5")
                    .contains("# TYPE gpu_scheduler_scheduling_latency histogram")
                    .contains("gpu_scheduler_scheduling_latency_count")
                    .contains("gpu_scheduler_preemptions_total 0.0")
                    .contains("jvm_memory_used_bytes")
                    .contains("process_uptime_seconds");
        }
    }

    @Test
    void theServerDescribesItself() {
        assertThat(rest.get("/").field("service")).isEqualTo("information-theoretic-gpu-scheduler");
        assertThat(rest.get("/openapi.json").field("openapi")).isEqualTo("3.1.0");
    }

    @Test
    void everythingIsStillThereAfterARestart() {
        nodes.join("n1", 4);
        String tenant = rest.post("/api/v1/tenants", "{\"name\":\"A\",\"max_gpus\":2}").field("id");
        String running = rest.submit("{\"tenant_id\":\"" + tenant + "\",\"gpu_count\":2}");
        nodes.run(running);
        String waiting = rest.submit("{\"tenant_id\":\"" + tenant + "\",\"gpu_count\":1}");
        String before = rest.job(running).toString();
        String listed = rest.get("/api/v1/jobs").text();
        Path dataDir = rest.server().config().dataDir();
        rest.close();

        rest = Running.in(dataDir);

        assertThat(rest.job(running)).hasToString(before);
        assertThat(rest.get("/api/v1/jobs").text()).isEqualTo(listed);
        assertThat(rest.job(waiting).get("queue_position").asInt()).isEqualTo(1);
        assertThat(rest.get("/api/v1/tenants/" + tenant).json().get("current_gpus").asInt())
                .isEqualTo(2);
        assertThat(rest.submit("{}")).isEqualTo("job-3");
    }
}
