package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The README of the scheduler that this one replaces, command by command: what it tells people to
/// type does here what it says there. A PostgreSQL of our own stands in for the one in Docker, and
/// the ports are free ones; everything else is typed as it is written.
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init")
final class Seed003WalkIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir static Path temp;

    private static EmbeddedPostgres postgres;
    private static Started scheduler;
    private static String url;
    private static String metrics;
    private static String tenant = "";
    private static String job = "";

    @BeforeAll
    static void setUp() throws IOException, SQLException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "the README uses curl");
        postgres =
                EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(temp.resolve("postgres").toFile())
                        .start();
        try (Connection connection = postgres.getPostgresDatabase().getConnection()) {
            connection.createStatement().execute("CREATE DATABASE gpu_scheduler");
        }
        start();
    }

    /// `export GPU_SCHEDULER_DATABASE_PASSWORD="gpu123"`, `export
    /// GPU_SCHEDULER_DATABASE_PORT=5433`, `./bin/scheduler --config config/scheduler-config.yaml &`
    private static void start() {
        scheduler =
                Started.program(
                        "scheduler",
                        List.of("--config", "config/scheduler-config.yaml"),
                        Map.of(
                                "GPU_SCHEDULER_DATABASE_PASSWORD", "gpu123",
                                "GPU_SCHEDULER_DATABASE_PORT", "" + postgres.getPort(),
                                "GPU_SCHEDULER_API_HTTP_PORT", "0",
                                "GPU_SCHEDULER_API_GRPC_PORT", "0",
                                "GPU_SCHEDULER_METRICS_PORT", "0",
                                "GPU_SCHEDULER_DATA_DIR", temp.resolve("data").toString()),
                        temp.resolve("scheduler.log"));
        List<String> addresses = scheduler.awaitReady();
        url = addresses.get(0).replace("127.0.0.1", "localhost");
        metrics = addresses.get(2);
    }

    @AfterAll
    static void tearDown() throws IOException {
        if (scheduler != null) {
            scheduler.close();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    @Test
    @Order(1)
    void theMakefileHasTheTargetsThatAreNamed() {
        assertThat(Started.ROOT.resolve("Makefile"))
                .content()
                .contains("\nbuild:")
                .contains("\ntest:")
                .contains("\nlint:")
                .contains("\nclean:");
    }

    @Test
    @Order(2)
    void verifyItsRunning() {
        assertThat(sh("curl -s http://localhost:8080/api/v1/health"))
                .isEqualTo("{\"status\":\"healthy\"}");
        assertThat(sh("curl -s http://localhost:8080/health"))
                .isEqualTo("{\"status\":\"healthy\"}");
    }

    @Test
    @Order(3)
    void runTheDemoScript() {
        assertThat(sh("API_URL=http://localhost:8080 ./demo.sh"))
                .contains("job-1")
                .contains("Done.");
    }

    @Test
    @Order(4)
    void createATenant() {
        JsonNode made =
                json(
                        """
                        curl -s -X POST http://localhost:8080/api/v1/tenants \\
                          -H "Content-Type: application/json" \\
                          -d '{
                            "name": "ML Research Team",
                            "max_gpus": 16,
                            "max_gpu_memory_mb": 200000,
                            "max_cpu_cores": 64,
                            "max_memory_mb": 500000,
                            "max_concurrent_jobs": 20
                          }'
                        """);
        tenant = made.get("id").asText();
        assertThat(tenant).startsWith("tenant-");
        assertThat(made.get("name").asText()).isEqualTo("ML Research Team");
        assertThat(made.get("max_concurrent_jobs").asInt()).isEqualTo(20);
    }

    @Test
    @Order(5)
    void submitAJob() {
        JsonNode submitted =
                json(
                        """
                        TENANT_ID="%s"
                        curl -s -X POST http://localhost:8080/api/v1/jobs \\
                          -H "Content-Type: application/json" \\
                          -d "{
                            \\"name\\": \\"AI Training Job\\",
                            \\"tenant_id\\": \\"$TENANT_ID\\",
                            \\"gpu_count\\": 4,
                            \\"priority\\": 1000,
                            \\"command\\": [\\"python\\", \\"train.py\\"],
                            \\"image\\": \\"pytorch:2.0\\",
                            \\"gpu_memory_mb\\": 40000,
                            \\"cpu_cores\\": 16,
                            \\"memory_mb\\": 64000
                          }"
                        """
                                .formatted(tenant));
        job = submitted.get("job_id").asText();
        assertThat(job).startsWith("job-");
        assertThat(submitted.get("status").asText()).isEqualTo("submitted");
        assertThat(submitted.get("message").asText()).isEqualTo("Job submitted successfully");
    }

    @Test
    @Order(6)
    void monitorJobs() {
        String list =
                sh(
                        "curl -s http://localhost:8080/api/v1/jobs"
                                + jq("'.jobs | sort_by(-.priority)'"));
        assertThat(list).contains("AI Training Job");
        JsonNode shown = json("curl -s http://localhost:8080/api/v1/jobs/" + job + jq("."));
        assertThat(shown.get("job_id").asText()).isEqualTo(job);
        assertThat(shown.get("state").asText()).isEqualTo("pending");
        assertThat(shown.get("queue_position").asInt()).isPositive();
        JsonNode cluster = json("curl -s http://localhost:8080/api/v1/cluster/status" + jq("."));
        assertThat(cluster.get("total_jobs").asInt()).isEqualTo(4);
        assertThat(cluster.get("pending_jobs").asInt()).isEqualTo(4);
        JsonNode tenants = json("curl -s http://localhost:8080/api/v1/tenants" + jq("."));
        assertThat(tenants.get("tenants").findValuesAsText("name"))
                .contains("ML Research Team", "AI Research Team", "Production Team");
        assertThat(
                        json("curl -s http://localhost:8080/api/v1/tenants/" + tenant)
                                .get("id")
                                .asText())
                .isEqualTo(tenant);
    }

    @Test
    @Order(7)
    void useTheCliTool() {
        String output =
                sh(
                        """
                        ./bin/gpu-cli --api-url http://localhost:8080 submit \\
                          --name "training-job" \\
                          --gpus 2 \\
                          --priority 500 \\
                          --tenant-id "%s"
                        """
                                .formatted(tenant));
        assertThat(output).contains("Job submitted successfully!").contains("Job ID: job-");
        assertThat(sh("./bin/gpu-cli --api-url http://localhost:8080 list"))
                .contains("training-job");
    }

    @Test
    @Order(8)
    void theCompleteExample() {
        String id =
                json("""
                curl -s -X POST http://localhost:8080/api/v1/tenants \\
                  -H "Content-Type: application/json" \\
                  -d '{
                    "name": "Data Science Team",
                    "max_gpus": 12,
                    "max_gpu_memory_mb": 150000,
                    "max_cpu_cores": 48,
                    "max_memory_mb": 400000,
                    "max_concurrent_jobs": 10
                  }'
                """)
                        .get("id")
                        .asText();
        String full =
                "\"gpu_count\": 8, \"priority\": 2000, \"command\": [\"python\","
                        + " \"train_production.py\"], \"image\": \"pytorch:2.0-cuda11.8\","
                        + " \"gpu_memory_mb\": 80000, \"cpu_cores\": 32, \"memory_mb\": 128000";
        submit(id, "Production Model Training", full);
        submit(
                id,
                "Research Experiment",
                "\"gpu_count\": 2, \"priority\": 500, \"command\": [\"python\", \"experiment.py\"],"
                        + " \"image\": \"tensorflow:2.13-gpu\"");
        submit(
                id,
                "Data Preprocessing",
                "\"gpu_count\": 1, \"priority\": 100, \"command\": [\"python\", \"preprocess.py\"],"
                        + " \"image\": \"cuda:11.8-base\"");
        JsonNode jobs = json("curl -s 'http://localhost:8080/api/v1/jobs?tenant_id=" + id + "'");
        assertThat(jobs.get("total").asInt()).isEqualTo(3);
        assertThat(jobs.get("jobs").findValuesAsText("state")).containsOnly("pending");
    }

    private static void submit(String tenantId, String name, String rest) {
        JsonNode submitted =
                json(
                        "curl -s -X POST http://localhost:8080/api/v1/jobs -H 'Content-Type:"
                                + " application/json' -d '{\"name\": \""
                                + name
                                + "\", \"tenant_id\": \""
                                + tenantId
                                + "\", "
                                + rest
                                + "}'");
        assertThat(submitted.get("job_id").asText()).startsWith("job-");
    }

    @Test
    @Order(9)
    void prometheusMetrics() {
        assertThat(sh("curl -s " + metrics))
                .contains("gpu_scheduler_jobs_total")
                .contains("gpu_scheduler_queue_size")
                .contains("gpu_scheduler_scheduling_latency")
                .contains("gpu_scheduler_preemptions_total");
    }

    @Test
    @Order(10)
    void databaseInspection() {
        Started.soon("the tables show the jobs", () -> rows("SELECT id FROM jobs").size() == 8);
        List<List<String>> jobs =
                rows(
                        "SELECT id, name, state, priority, gpu_count FROM jobs ORDER BY priority"
                                + " DESC");
        assertThat(jobs.getFirst().get(1)).isEqualTo("Production Model Training");
        assertThat(jobs.getFirst().get(2)).isEqualTo("pending");
        assertThat(jobs.getFirst().get(3)).isEqualTo("2000");
        assertThat(jobs.getFirst().get(4)).isEqualTo("8");
        assertThat(rows("SELECT id, name, max_gp_us, current_gp_us FROM tenants"))
                .anySatisfy(
                        row ->
                                assertThat(row)
                                        .containsExactly(tenant, "ML Research Team", "16", "0"));
    }

    @Test
    @Order(11)
    void quotaExceeded() {
        String answer =
                sh(
                        """
                        curl -s -w ' %%{http_code}' -X POST http://localhost:8080/api/v1/jobs \\
                          -d '{"tenant_id": "%s", "gpu_count": 17}'
                        """
                                .formatted(tenant));
        assertThat(answer)
                .contains(
                        "quota exceeded for tenant "
                                + tenant
                                + ": GPUs requested=17, quota=16, current=0")
                .endsWith("403");
    }

    @Test
    @Order(12)
    void invalidRequestBody() {
        String answer =
                sh(
                        """
                        curl -s -w ' %{http_code}' -X POST http://localhost:8080/api/v1/jobs \\
                          -d '{"command": "python train.py"}'
                        """);
        assertThat(answer).contains("Invalid request body").contains("command").endsWith("400");
    }

    @Test
    @Order(13)
    void cancelAJob() {
        assertThat(sh("curl -s -X DELETE http://localhost:8080/api/v1/jobs/" + job))
                .isEqualTo("{\"message\":\"Job cancelled successfully\"}");
        assertThat(json("curl -s http://localhost:8080/api/v1/jobs/" + job).get("state").asText())
                .isEqualTo("cancelled");
    }

    @Test
    @Order(14)
    void restartTheScheduler() {
        scheduler.close();
        start();

        JsonNode cluster = json("curl -s http://localhost:8080/api/v1/cluster/status");
        assertThat(cluster.get("total_jobs").asInt()).isEqualTo(8);
        assertThat(cluster.get("pending_jobs").asInt()).isEqualTo(7);
    }

    /// ` | jq …` where jq is installed; nothing where it is not.
    private static String jq(String filter) {
        return Files.isExecutable(Path.of("/usr/bin/jq")) ? " | jq " + filter : "";
    }

    private static JsonNode json(String command) {
        String output = sh(command);
        try {
            return JSON.readTree(output);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + output, e);
        }
    }

    /// Runs the command as a person would type it in the project's folder.
    private static String sh(String command) {
        var builder =
                new ProcessBuilder("/bin/sh", "-c", command.replace("http://localhost:8080", url))
                        .directory(Started.ROOT.toFile())
                        .redirectErrorStream(true);
        builder.environment().put("GPU_SCHEDULER_BUILD", "never");
        try {
            Process process = builder.start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output.strip();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static List<List<String>> rows(String sql) {
        try (Connection connection =
                        postgres.getDatabase("postgres", "gpu_scheduler").getConnection();
                var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            var rows = new ArrayList<List<String>>();
            while (found.next()) {
                var row = new ArrayList<String>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    row.add(String.valueOf(found.getString(i)));
                }
                rows.add(row);
            }
            return rows;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
