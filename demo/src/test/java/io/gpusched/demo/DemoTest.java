package io.gpusched.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.demo.process.Tools;
import io.gpusched.server.Logging;
import io.gpusched.server.Server;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.PublicState;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

@Timeout(120)
final class DemoTest {
    @TempDir Path temp;

    @Test
    void everyListShowsLifeAndAVisitorsJobRunsToItsEnd() throws Exception {
        try (Server server = start();
                AutoCloseable life = Main.bringToLife(server)) {
            assertThat(life).isNotNull();
            soon("64 GPUs in 8 nodes", () -> server.view().nodes().all().size() == 8);
            assertThat(server.view().nodes().all().stream().mapToInt(NodeRow::totalGpus).sum())
                    .isEqualTo(64);
            assertThat(
                            server.view().nodes().all().stream()
                                    .map(row -> row.facts().gpus().getFirst().model())
                                    .distinct())
                    .hasSizeGreaterThanOrEqualTo(5);
            assertThat(server.view().tenants().all()).hasSize(4);
            soon("running jobs", () -> count(server, PublicState.RUNNING) > 5);
            soon("completed jobs", () -> count(server, PublicState.COMPLETED) > 0);
            JobId visitor = submit(server, "echo hello; sleep 1");
            soon(
                    "the visitor's job completes",
                    () -> {
                        Job job = Objects.requireNonNull(server.view().job(visitor));
                        return PublicState.of(job) == PublicState.COMPLETED;
                    });
            assertThat(get(server, "/api/v1/jobs/" + visitor + "/logs")).contains("echo hello");
            assertThat(get(server, "/api/v1/nodes/node-1")).contains("\"temperature\":");
            assertThat(get(server, "/api/v1/nodes/node-4"))
                    .contains("\"nvlink\":0", "\"nvlink\":1", "\"numa\":1", "\"pix\"", "\"sys\"");
            assertThat(get(server, "/api/v1/fleet")).contains("\"rack\":\"a/a1\"");
            soon(
                    "a MIG slice",
                    () ->
                            server.view().nodes().all().stream()
                                    .flatMap(row -> row.holders().stream())
                                    .anyMatch(held -> held.parts().toString().contains("g.")));
            soon("a forgotten notebook", () -> !server.view().idle().isEmpty());
            assertThat(get(server, "/api/v1/idle")).contains("\"name\":\"notebook-");
        }
    }

    @Test
    void theWalkSucceedsWithAndWithoutJq() throws Exception {
        Tools.need("curl");
        try (Server server = start();
                AutoCloseable life = Main.bringToLife(server)) {
            assertThat(life).isNotNull();
            soon("nodes", () -> server.view().nodes().all().size() == 8);
            for (String path : List.of(System.getenv("PATH"), withoutJq())) {
                var process =
                        new ProcessBuilder("/bin/sh", Path.of("../demo.sh").toString())
                                .redirectErrorStream(true);
                process.environment().put("API_URL", server.url());
                process.environment().put("PATH", path);
                Process walk = process.start();
                String output =
                        new String(walk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(walk.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(walk.exitValue()).as(output).isZero();
                assertThat(output)
                        .contains("tenant-")
                        .containsPattern("Production Model Training +4 GPUs, priority 1000 +job-")
                        .containsPattern("Research Experiment +priority 500 +2 GPUs +[a-z]+")
                        .containsPattern("Data Preprocessing +priority 100 +1 GPU +[a-z]+")
                        .doesNotContain("null");
            }
        }
    }

    /// A directory with the few programs the walk needs, and no jq.
    private String withoutJq() throws IOException {
        Path bin = Files.createDirectory(temp.resolve("bin"));
        for (String program : List.of("curl", "sed", "cat")) {
            for (String folder : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
                Path real = Path.of(folder, program);
                if (Files.exists(real) && !Files.exists(bin.resolve(program))) {
                    Files.createSymbolicLink(bin.resolve(program), real);
                }
            }
        }
        return bin.toString();
    }

    @Test
    void aTaskWantedTwiceRunsOnceAndEndsOnce() {
        var host = new FakeTaskHost(Map.of("n", new DemoMachine("2xT4")));
        var order = order(7, "exit 3", "0");
        host.converge("n", List.of(order));
        soon("the end", () -> host.tasks().getFirst().hasEnded());
        assertThat(host.tasks().getFirst().getEnded().getExitCode()).isEqualTo(3);
        host.acknowledged(order.getTask());
        host.converge("n", List.of(order));

        assertThat(host.tasks()).isEmpty();
        assertThat(log(host, order)).contains("exit code 3");
    }

    @Test
    void aTaskThatIsNoLongerWantedStops() {
        var host = new FakeTaskHost(Map.of("n", new DemoMachine("2xT4")));
        host.converge("n", List.of(order(7, "sleep 1000", "")));
        assertThat(host.tasks().getFirst().hasRunning()).isTrue();
        host.converge("n", List.of());

        soon("the stop", () -> host.tasks().getFirst().hasEnded());
        assertThat(host.tasks().getFirst().getEnded().getExitCode()).isEqualTo(143);
    }

    @Test
    void aBusyGpuGrowsWarmAndAnIdleOneCools() {
        var demoMachine = new DemoMachine("2xA100-80GB");
        double idle = demoMachine.read().getFirst().getTemperatureCelsius();
        demoMachine.work(List.of(new TaskLoad(0, 7, 1, false)));

        soon("warmth", () -> demoMachine.read().getFirst().getTemperatureCelsius() > idle + 1);
        assertThat(demoMachine.read().getFirst().getUtilizationPercent()).isPositive();
        assertThat(demoMachine.read().getLast().getUtilizationPercent()).isZero();
        double warm = demoMachine.read().getFirst().getTemperatureCelsius();
        demoMachine.work(List.of(new TaskLoad(0, 7, 1, true)));
        soon("cold", () -> demoMachine.read().getFirst().getTemperatureCelsius() < warm);
        assertThat(demoMachine.read().getFirst().getUtilizationPercent()).isZero();
        assertThat(demoMachine.read().getFirst().getMemoryUsedMb()).isPositive();
    }

    @Test
    void aHarderJobDrawsMorePowerAndUsesItsOwnShareOfMemory() {
        var demoMachine = new DemoMachine("2xH100-80GB");
        double idle = demoMachine.read().getFirst().getPowerWatts();
        demoMachine.work(List.of(new TaskLoad(0, 7, 1, false), new TaskLoad(1, 7, 0.25, false)));
        var whole = demoMachine.read().getFirst();
        var part = demoMachine.read().getLast();
        assertThat(whole.getPowerWatts()).isGreaterThan(part.getPowerWatts());
        assertThat(part.getPowerWatts()).isGreaterThan(idle);
        assertThat(whole.getMemoryUsedMb()).isGreaterThan(3 * part.getMemoryUsedMb());
        assertThat(whole.getUtilizationPercent()).isBetween(40.0, 100.0);
    }

    @Test
    void theUseOfAGpuFollowsFromTheJobAndTheTime() {
        var use = new TaskLoad(3, 42, 1, false);
        assertThat(use.load(10)).isEqualTo(new TaskLoad(3, 42, 1, false).load(10));
        assertThat(use.load(10)).isNotEqualTo(use.load(20));
        assertThat(use.memory()).isNotEqualTo(new TaskLoad(3, 43, 1, false).memory());
        assertThat(new TaskLoad(3, 42, 1, true).load(10)).isZero();
    }

    @Test
    void theWorkloadIsTheSameForTheSameSeed() {
        var one = new DemoWorkload(3);
        var other = new DemoWorkload(3);
        for (int i = 0; i < 100; i++) {
            assertThat(one.next()).isEqualTo(other.next());
        }
    }

    private static String log(FakeTaskHost host, TaskOrder order) {
        return host.log(
                        LogRequest.newBuilder()
                                .setTask(order.getTask())
                                .setMaxBytes(10_000)
                                .build())
                .getContent()
                .toStringUtf8();
    }

    private static TaskOrder order(long job, String script, String seconds) {
        var spec = TaskSpec.newBuilder().setScript(script);
        if (!seconds.isEmpty()) {
            spec.putEnvironment(FakeTask.SECONDS, seconds);
        }
        return TaskOrder.newBuilder()
                .setTask(TaskRef.newBuilder().setJob(job).setAttempt(1).setTerm(1))
                .setRun(TaskOrder.Run.getDefaultInstance())
                .addGpus(0)
                .setSpec(spec)
                .build();
    }

    private Server start() {
        var config =
                ConfigReader.read(
                        Arguments.of(
                                "--data-dir", temp.resolve("data").toString(),
                                "--http-port", "0",
                                "--grpc-port", "0",
                                "--metrics-port", "0"),
                        Map.of(
                                "GPU_SCHEDULER_LOG_LEVEL", "warn",
                                "GPU_SCHEDULER_SCHEDULER_IDLE_AFTER_SECONDS", "1",
                                "GPU_SCHEDULER_AGENT_METRICS_INTERVAL_MS", "200"));
        Logging.configure(config.log());
        return Server.start(config, death -> {});
    }

    private static JobId submit(Server server, String script) {
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 0));
        var spec =
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("visitor")
                        .priority(100)
                        .kind("visit")
                        .payload(new Payload(script, List.of(), List.of(), Labels.NONE, "", ""))
                        .build();
        var answer = server.commandGateway().ask(new Command.Submit(spec, "", 0, false, "visitor"));
        return Objects.requireNonNull(((Answer.Accepted) answer).job());
    }

    private static long count(Server server, PublicState state) {
        return server.view().count(null, state);
    }

    private static String get(Server server, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create(server.url() + path)).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static void soon(String what, BooleanSupplier holds) {
        long until = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
