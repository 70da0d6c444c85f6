package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Kills the scheduler with SIGKILL again and again at random moments under load, also while it
/// starts and still replays its journal. The agent keeps running. Afterwards every acknowledged job
/// exists exactly once, and no job ran twice.
final class CrashIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CLIENTS = 4;

    /// One in this many jobs runs; the others only wait.
    private static final int RUNS_EVERY = 40;

    /// The fewest crashes when the scheduler is ready and before it is ready, however long a start
    /// takes on a busy machine.
    private static final int LEAST_CRASHES = 5;

    private static final int LEAST_EARLY_CRASHES = 2;

    /// One in this many crashes comes before the scheduler is ready.
    private static final int EARLY_EVERY = 3;

    @TempDir Path temp;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final int httpPort = freePort();
    private final int grpcPort = freePort();
    private final int metricsPort = freePort();
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /// The acknowledged jobs: name and id.
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

    /// Where the scheduler keeps its journal, if not in files.
    private Map<String, String> database = Map.of();

    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger names = new AtomicInteger();

    @Test
    @Timeout(300)
    void nothingAcknowledgedIsLostOrDoubledByKillingTheServer() throws Exception {
        crashFor(Duration.ofSeconds(30));
    }

    @Test
    @Tag("long")
    @Timeout(1800)
    void nothingIsLostInTenMinutesOfCrashesEither() throws Exception {
        crashFor(Duration.ofMinutes(10));
    }

    @Test
    @Tag("long")
    @Timeout(1800)
    void nothingIsLostOnPostgresInThreeMinutesOfCrashesEither() throws Exception {
        crashOnPostgresFor(Duration.ofMinutes(3));
    }

    private void crashOnPostgresFor(Duration span) throws Exception {
        try (var postgres =
                EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(temp.resolve("postgres").toFile())
                        .start()) {
            database =
                    Map.of(
                            "GPU_SCHEDULER_DATABASE_PORT",
                            "" + postgres.getPort(),
                            "GPU_SCHEDULER_DATABASE_DATABASE",
                            "postgres");
            crashFor(span);
            assertThat(temp.resolve("data/journal.db")).as("all is in PostgreSQL").doesNotExist();
        }
    }

    private void crashFor(Duration span) throws Exception {
        var random = new Random(seed);
        long until = System.nanoTime() + span.toNanos();
        long start = Duration.ofSeconds(1).toNanos();
        int crashes = 0;
        int early = 0;
        try (Started agent = agent()) {
            assertThat(agent).isNotNull();
            var clients = new ArrayList<Thread>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Thread.ofVirtual().start(this::submitUntilEnough));
            }
            while (System.nanoTime() - until < 0
                    || crashes < LEAST_CRASHES
                    || early < LEAST_EARLY_CRASHES) {
                long began = System.nanoTime();
                Started scheduler = scheduler();
                // Not the first: it may be the launcher's first ever, which records for itself.
                if (crashes > 0 && random.nextInt(EARLY_EVERY) == 0) {
                    // Before it is ready, if this start takes as long as the one before.
                    LockSupport.parkNanos(random.nextLong(start));
                    early += scheduler.isReady() ? 0 : 1;
                    assertThat(scheduler.isAlive())
                            .as("it starts; %s, seed %d", scheduler.errors(), seed)
                            .isTrue();
                } else {
                    scheduler.awaitReady();
                    start = System.nanoTime() - began;
                    LockSupport.parkNanos(Duration.ofMillis(random.nextInt(1500)).toNanos());
                }
                scheduler.kill();
                crashes++;
            }
            try (Started last = scheduler()) {
                last.awaitReady();
                enough.set(true);
                for (Thread one : clients) {
                    one.join();
                }
                check("%d crashes, %d before it was ready".formatted(crashes, early));
            }
        }
    }

    private void check(String crashes) throws Exception {
        Map<String, String> found = new HashMap<>();
        for (JsonNode job : allJobs()) {
            String before = found.put(job.get("name").asText(), job.get("id").asText());
            assertThat(before).as("%s twice, seed %d", job.get("name"), seed).isNull();
        }
        assertThat(new TreeMap<>(found))
                .as("seed %d, %s", seed, crashes)
                .isEqualTo(new TreeMap<>(acknowledged));
        Started.soon(
                "all jobs that can run have ended",
                () -> list("state=running") == 0 && waitingToRun() == 0);
        Map<String, Integer> runs = new HashMap<>();
        Path file = temp.resolve("runs");
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                runs.merge(line, 1, Integer::sum);
            }
        }
        assertThat(runs)
                .as("each ran exactly once, seed %d", seed)
                .allSatisfy((id, n) -> assertThat(n).isOne());
        assertThat(temp.resolve("doubles")).as("never twice at once, seed %d", seed).doesNotExist();
        long expected =
                acknowledged.keySet().stream().filter(name -> name.startsWith("runs-")).count();
        assertThat(runs).as("seed %d", seed).hasSize((int) expected);
        // Without load everything above would hold as well.
        assertThat(acknowledged).as("acknowledged, seed %d", seed).hasSizeGreaterThan(100);
        assertThat(runs).as("jobs that ran, seed %d", seed).isNotEmpty();
        System.err.printf(
                "CrashIT: %s, %d jobs acknowledged, %d run, seed %d%n",
                crashes, acknowledged.size(), runs.size(), seed);
    }

    private int waitingToRun() {
        int waiting = 0;
        for (String state : List.of("pending", "scheduled", "preempted")) {
            for (JsonNode job : page("state=" + state, 0).get("jobs")) {
                waiting += job.get("name").asText().startsWith("runs-") ? 1 : 0;
            }
        }
        return waiting;
    }

    private int list(String query) {
        return page(query, 0).get("total").asInt();
    }

    private List<JsonNode> allJobs() {
        var all = new ArrayList<JsonNode>();
        while (true) {
            JsonNode page = page("", all.size());
            page.get("jobs").forEach(all::add);
            if (all.size() >= page.get("total").asInt()) {
                return all;
            }
        }
    }

    private JsonNode page(String query, int offset) {
        try {
            var request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:%d/api/v1/jobs?limit=1000&offset=%d&%s"
                                                    .formatted(httpPort, offset, query)))
                            .build();
            return JSON.readTree(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// Submits job after job. A submission without an answer is repeated with the same key until it
    /// is answered, as a careful client would do.
    private void submitUntilEnough() {
        while (!enough.get()) {
            int number = names.incrementAndGet();
            boolean runs = number % RUNS_EVERY == 0;
            String name = (runs ? "runs-" : "waits-") + number;
            String id = submitted(name, runs ? runningJob(name) : waitingJob(name));
            acknowledged.put(name, id);
        }
    }

    private String submitted(String name, String body) {
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/api/v1/jobs"))
                        .timeout(Duration.ofSeconds(20))
                        .header("Idempotency-Key", name)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        while (true) {
            try {
                var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 201) {
                    return JSON.readTree(answer.body()).get("job_id").asText();
                }
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            } catch (IOException gone) {
                LockSupport.parkNanos(5_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }

    /// A job for a GPU model that no node has.
    private static String waitingJob(String name) {
        return "{\"name\":\"%s\",\"gpu_model\":\"B200\"}".formatted(name);
    }

    /// A job that records that it ran, and detects a second run at the same time.
    private String runningJob(String name) {
        return """
        {"name":"%s","gpu_count":1,"cpu_cores":0,"script":"\
        mkdir %s/%s.lock || echo %s >> %s/doubles; echo %s >> %s/runs; sleep 0.2; rmdir %s/%s.lock"}\
        """
                .formatted(name, temp, name, name, temp, name, temp, temp, name);
    }

    private Started scheduler() {
        var environment = new HashMap<>(database);
        environment.put("GPU_SCHEDULER_DATABASE_SNAPSHOT_EVENTS", "2000");
        return Started.program(
                "scheduler",
                List.of(
                        "--data-dir", temp.resolve("data").toString(),
                        "--http-port", "" + httpPort,
                        "--grpc-port", "" + grpcPort,
                        "--metrics-port", "" + metricsPort),
                environment,
                temp.resolve("scheduler.log"));
    }

    private Started agent() {
        return Started.program(
                "agent",
                List.of(
                        "--server",
                        "127.0.0.1:" + grpcPort,
                        "--node-id",
                        "n1",
                        "--fake-gpus",
                        "8xA100-80GB",
                        "--data-dir",
                        temp.resolve("agent").toString()),
                Map.of(),
                temp.resolve("agent.log"));
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
