package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

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
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/// Runs the README of the scheduler that this one replaces, command by command, and checks that
/// each command works here as described there. The test starts its own PostgreSQL instead of the
/// one in Docker and uses free ports; everything else is typed as written. `MakefileTest` of
/// `conventions` checks the `make` targets.
@Timeout(180)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init")
final class Seed003WalkIT {
    @TempDir static Path temp;

    private static EmbeddedPostgres postgres;
    private static Started scheduler;
    private static Shell shell;
    private static String agents = "";
    private static String tenant = "";
    private static String job = "";

    @BeforeAll
    static void setUp() throws IOException, SQLException {
        Tools.need("curl");
        Tools.need("jq");
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
        String url = addresses.get(0).replace("127.0.0.1", "localhost");
        agents = addresses.get(1);
        shell =
                new Shell(
                        Map.of(
                                "http://localhost:8080",
                                url,
                                "http://localhost:9091/metrics",
                                addresses.get(2)),
                        // The command line and the demo know only the usual port by themselves.
                        Map.of("GPU_SCHEDULER_API_URL", url));
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
    void verifyItsRunning() {
        assertThat(shell.type("curl http://localhost:8080/api/v1/health"))
                .endsWith("{\"status\":\"healthy\"}");
        assertThat(shell.type("curl http://localhost:8080/health"))
                .endsWith("{\"status\":\"healthy\"}");
    }

    @Test
    @Order(2)
    void runTheDemoScript() {
        assertThat(shell.type("./demo.sh")).contains("job-1").contains("Done.");
    }

    @Test
    @Order(3)
    void createATenant() {
        JsonNode made =
                shell.json(
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
    @Order(4)
    void submitAJob() {
        JsonNode submitted =
                shell.json(
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
    @Order(5)
    void monitorJobs() {
        JsonNode jobs =
                shell.json(
                        "curl -s http://localhost:8080/api/v1/jobs | jq '.jobs |"
                                + " sort_by(-.priority)'");
        assertThat(jobs.findValuesAsText("name")).contains("AI Training Job");
        assertThat(jobs.findValues("priority").stream().map(JsonNode::asInt))
                .isSortedAccordingTo((a, b) -> b - a);
        JsonNode shown =
                shell.json(
                        "JOB_ID=\"%s\"\ncurl -s http://localhost:8080/api/v1/jobs/$JOB_ID | jq ."
                                .formatted(job));
        assertThat(shown.get("job_id").asText()).isEqualTo(job);
        assertThat(shown.get("state").asText()).isEqualTo("pending");
        assertThat(shown.get("queue_position").asInt()).isPositive();
        JsonNode cluster = shell.json("curl -s http://localhost:8080/api/v1/cluster/status | jq .");
        assertThat(cluster.get("total_jobs").asInt()).isEqualTo(4);
        assertThat(cluster.get("pending_jobs").asInt()).isEqualTo(4);
        JsonNode tenants = shell.json("curl -s http://localhost:8080/api/v1/tenants | jq .");
        assertThat(tenants.get("tenants").findValuesAsText("name"))
                .contains("ML Research Team", "AI Research Team", "Production Team");
        JsonNode one = shell.json("curl -s http://localhost:8080/api/v1/tenants/" + tenant);
        assertThat(one.get("id").asText()).isEqualTo(tenant);
    }

    @Test
    @Order(6)
    void useTheCliTool() {
        String output =
                shell.type(
                        """
                        ./bin/gpu-cli submit \\
                          --name "training-job" \\
                          --gpus 2 \\
                          --priority 500 \\
                          --tenant-id "%s"
                        """
                                .formatted(tenant));
        assertThat(output).contains("Job submitted successfully!").contains("Job ID: job-");
        assertThat(shell.type("./bin/gpu-cli list")).contains("training-job");
    }

    /// The long script of the README, in one shell.
    @Test
    @Order(7)
    void theCompleteExample() {
        String output = shell.type(COMPLETE_EXAMPLE);
        assertThat(output).containsPattern("Created tenant: tenant-\\d+");
        List<String> rows =
                output.lines().filter(line -> line.matches("\\d+ \\| .* GPUs \\| .*")).toList();
        assertThat(rows)
                .contains(
                        "2000 | Production Model Training | 8 GPUs | pending",
                        "500 | Research Experiment | 2 GPUs | pending",
                        "100 | Data Preprocessing | 1 GPUs | pending")
                .hasSize(8);
        assertThat(rows.getFirst()).startsWith("2000 ");
        assertThat(output.substring(output.indexOf("Cluster status:")))
                .contains("\"total_nodes\": 0", "\"online_nodes\": 0", "\"total_gpus\": 0")
                .contains("\"available_gpus\": 0", "\"total_jobs\": 8", "\"running_jobs\": 0")
                .contains("\"pending_jobs\": 8");
    }

    private static final String COMPLETE_EXAMPLE =
            """
            TENANT_ID=$(curl -s -X POST http://localhost:8080/api/v1/tenants \\
              -H "Content-Type: application/json" \\
              -d '{
                "name": "Data Science Team",
                "max_gpus": 12,
                "max_gpu_memory_mb": 150000,
                "max_cpu_cores": 48,
                "max_memory_mb": 400000,
                "max_concurrent_jobs": 10
              }' | jq -r '.id')

            echo "Created tenant: $TENANT_ID"

            curl -X POST http://localhost:8080/api/v1/jobs \\
              -H "Content-Type: application/json" \\
              -d "{
                \\"name\\": \\"Production Model Training\\",
                \\"tenant_id\\": \\"$TENANT_ID\\",
                \\"gpu_count\\": 8,
                \\"priority\\": 2000,
                \\"command\\": [\\"python\\", \\"train_production.py\\"],
                \\"image\\": \\"pytorch:2.0-cuda11.8\\",
                \\"gpu_memory_mb\\": 80000,
                \\"cpu_cores\\": 32,
                \\"memory_mb\\": 128000
              }"

            curl -X POST http://localhost:8080/api/v1/jobs \\
              -H "Content-Type: application/json" \\
              -d "{
                \\"name\\": \\"Research Experiment\\",
                \\"tenant_id\\": \\"$TENANT_ID\\",
                \\"gpu_count\\": 2,
                \\"priority\\": 500,
                \\"command\\": [\\"python\\", \\"experiment.py\\"],
                \\"image\\": \\"tensorflow:2.13-gpu\\"
              }"

            curl -X POST http://localhost:8080/api/v1/jobs \\
              -H "Content-Type: application/json" \\
              -d "{
                \\"name\\": \\"Data Preprocessing\\",
                \\"tenant_id\\": \\"$TENANT_ID\\",
                \\"gpu_count\\": 1,
                \\"priority\\": 100,
                \\"command\\": [\\"python\\", \\"preprocess.py\\"],
                \\"image\\": \\"cuda:11.8-base\\"
              }"

            echo -e "\\nJobs in queue (priority order):"
            curl -s http://localhost:8080/api/v1/jobs | \\
              jq -r '.jobs | sort_by(-.priority) | .[] |
              "\\(.priority) | \\(.name) | \\(.gpu_count) GPUs | \\(.state)"'

            echo -e "\\nCluster status:"
            curl -s http://localhost:8080/api/v1/cluster/status | jq .
            """;

    /// The session at the prompt of `psql -U postgres -d gpu_scheduler`.
    @Test
    @Order(8)
    void databaseInspection() throws SQLException {
        Tools.need("psql");
        String psql =
                "psql -h localhost -p %d -U postgres -d gpu_scheduler"
                        .formatted(postgres.getPort());
        Started.soon(
                "the tables show the jobs",
                () -> shell.type(psql + " -tAc 'SELECT count(*) FROM jobs'").equals("8"));
        String shown =
                shell.type(
                                psql
                                        + """
                                          <<'END'
                                        \\dt
                                        SELECT id, name, state, priority, gpu_count FROM jobs ORDER BY priority DESC;
                                        SELECT id, name, max_gp_us, current_gp_us FROM tenants;
                                        \\q
                                        END
                                        """)
                        .replaceAll(" +", " ");
        assertThat(shown)
                .contains("| jobs | table | postgres")
                .contains("| tenants | table | postgres")
                .contains("| AI Training Job | pending | 1000 | 4")
                .contains(tenant + " | ML Research Team | 16 | 0");
        assertThat(shown.indexOf("Production Model Training | pending | 2000 | 8"))
                .isBetween(0, shown.indexOf("AI Training Job"));
    }

    @Test
    @Order(9)
    void aTenantWithTheRequiredQuotas() {
        // The README explains its lines behind hash signs, which JSON does not have.
        String body =
                """
                {
                    "name": "Team Name",
                    "max_gpus": 8,                    # Required!
                    "max_gpu_memory_mb": 100000,      # Required!
                    "max_cpu_cores": 32,              # Required!
                    "max_memory_mb": 200000,          # Required!
                    "max_concurrent_jobs": 10         # Required!
                  }\
                """;
        String post =
                "curl -s -w ' %{http_code}' -X POST http://localhost:8080/api/v1/tenants"
                        + " -H \"Content-Type: application/json\" -d '";
        assertThat(shell.type(post + body + "'")).contains("Invalid request body").endsWith(" 400");
        assertThat(shell.type(post + body.replaceAll(" *# Required!", "") + "'"))
                .contains("\"max_gpus\":8")
                .endsWith(" 201");
    }

    @Test
    @Order(10)
    void quotaExceeded() {
        String answer =
                shell.type(
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
    @Order(11)
    void invalidRequestBody() {
        String answer =
                shell.type(
                        """
                        curl -s -w ' %{http_code}' -X POST http://localhost:8080/api/v1/jobs \\
                          -d '{"command": "python train.py"}'
                        """);
        assertThat(answer).contains("Invalid request body").contains("command").endsWith("400");
    }

    /// The complete bodies of the API reference.
    @Test
    @Order(12)
    void theObjectsOfTheReference() {
        JsonNode made =
                shell.json(
                        """
                        curl -s -X POST http://localhost:8080/api/v1/tenants -d '{
                          "name": "Team Name",
                          "max_gpus": 16,
                          "max_gpu_memory_mb": 200000,
                          "max_cpu_cores": 64,
                          "max_memory_mb": 500000,
                          "max_concurrent_jobs": 20,
                          "priority_tier": "high",
                          "fair_share_weight": 1.0,
                          "allow_preemption": true
                        }'
                        """);
        assertThat(made.get("priority_tier").asText()).isEqualTo("high");
        assertThat(made.get("fair_share_weight").asDouble()).isEqualTo(1.0);
        assertThat(made.get("allow_preemption").asBoolean()).isTrue();
        JsonNode submitted =
                shell.json(
                        """
                        curl -s -X POST http://localhost:8080/api/v1/jobs -d '{
                          "tenant_id": "%s",
                          "name": "Training Job",
                          "priority": 1000,
                          "gpu_count": 4,
                          "gpu_memory_mb": 40000,
                          "cpu_cores": 16,
                          "memory_mb": 64000,
                          "command": ["python", "train.py"],
                          "args": ["--epochs", "100"],
                          "image": "pytorch:2.0",
                          "environment": {
                            "CUDA_VISIBLE_DEVICES": "0,1,2,3"
                          },
                          "gang_scheduling": true,
                          "max_runtime_minutes": 1440
                        }'
                        """
                                .formatted(made.get("id").asText()));
        JsonNode shown =
                shell.json(
                        "curl -s http://localhost:8080/api/v1/jobs/"
                                + submitted.get("job_id").asText());
        assertThat(shown.get("gpu_memory_mb").asInt()).isEqualTo(40_000);
        assertThat(shown.get("memory_mb").asInt()).isEqualTo(64_000);
        assertThat(shown.get("args").toString()).isEqualTo("[\"--epochs\",\"100\"]");
        assertThat(shown.get("environment").get("CUDA_VISIBLE_DEVICES").asText())
                .isEqualTo("0,1,2,3");
        // A gang that fits one node is one task.
        assertThat(shown.get("gpu_count").asInt()).isEqualTo(4);
        assertThat(shown.get("tasks").asInt()).isEqualTo(1);
        assertThat(shown.get("max_runtime_minutes").asInt()).isEqualTo(1440);
    }

    @Test
    @Order(13)
    void cancelAJob() {
        assertThat(shell.type("curl -s -X DELETE http://localhost:8080/api/v1/jobs/" + job))
                .isEqualTo("{\"message\":\"Job cancelled successfully\"}");
        JsonNode shown = shell.json("curl -s http://localhost:8080/api/v1/jobs/" + job);
        assertThat(shown.get("state").asText()).isEqualTo("cancelled");
    }

    /// `pkill -f "bin/scheduler"` would match the process, and a restart loses nothing.
    @Test
    @Order(14)
    void restartTheScheduler() {
        assertThat(shell.type("pgrep -f \"bin/scheduler\"").lines()).contains("" + scheduler.pid());
        scheduler.close();
        start();

        JsonNode cluster = shell.json("curl -s http://localhost:8080/api/v1/cluster/status");
        assertThat(cluster.get("total_jobs").asInt()).isEqualTo(9);
        assertThat(cluster.get("pending_jobs").asInt()).isEqualTo(8);
    }

    /// "Jobs will remain pending until GPU nodes are registered": registers one, and the metrics
    /// show it.
    @Test
    @Order(15)
    void prometheusMetricsOfANode() {
        try (Started agent =
                Started.program(
                        "agent",
                        List.of(
                                "--server",
                                agents,
                                "--fake-gpus",
                                "8xA100-80GB",
                                "--node-id",
                                "gpu-node-1",
                                "--data-dir",
                                temp.resolve("agent").toString()),
                        Map.of(),
                        temp.resolve("agent.log"))) {
            assertThat(agent.pid()).isPositive();
            Started.soon(
                    "jobs leave the queue",
                    () ->
                            shell.json("curl -s http://localhost:8080/api/v1/cluster/status")
                                            .get("pending_jobs")
                                            .asInt()
                                    < 8);
            assertThat(shell.type("curl -s http://localhost:9091/metrics"))
                    .contains("gpu_scheduler_jobs_total{")
                    .contains("gpu_scheduler_queue_size")
                    .contains("gpu_scheduler_gpu_utilization{")
                    .contains("node=\"gpu-node-1\"")
                    .contains("gpu_scheduler_scheduling_latency")
                    .contains("gpu_scheduler_preemptions_total");
        }
    }
}
