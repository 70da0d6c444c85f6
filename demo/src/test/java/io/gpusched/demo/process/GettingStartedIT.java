package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Runs the first page of the guide from "Run real processes" to its end: it starts a scheduler and
/// an agent, types the commands of each chapter into one shell, and compares the output with the
/// page. Only the kill of the scheduler differs: the `pkill` of the page would also end other
/// schedulers on the machine.
@Timeout(240)
final class GettingStartedIT {
    private static final Path PAGE = Started.ROOT.resolve("docs/guide/getting-started.md");
    private static final String END = "<end of the command>";

    /// A command of the page and the output that the page shows below it.
    private record Step(String command, List<String> shown) {}

    @TempDir Path temp;

    private final int httpPort = freePort();
    private final int grpcPort = freePort();
    private final String url = "http://127.0.0.1:" + httpPort;

    /// The started processes, the newest first; some were killed.
    private final Deque<Started> running = new ArrayDeque<>();

    @Test
    void fromTheSecondChapterOnAllIsAsThePageSays() throws Exception {
        Tools.need("curl");
        try {
            Started scheduler = begin(scheduler());
            scheduler.awaitReady();
            Started agent = begin(agent());
            Started.soon("the node is ready", () -> asked("nodes").contains("myhost"));
            realProcessesRun();
            String id = pullingThePlugStopsNoJob(scheduler, agent);
            aQuotaHoldsJobsBack();
            assertThat(asked("jobs/" + id))
                    .contains("\"state\":\"running\"", "\"lost_count\":0", "\"attempts\":1");
            everythingIsRest();
            cancelAll();
        } finally {
            running.forEach(Started::close);
        }
    }

    private void realProcessesRun() throws Exception {
        List<Step> steps = steps("## 2. ");
        assertThat(steps).hasSizeGreaterThan(5);
        assertShown(steps);
    }

    /// The job, which keeps running through both crashes.
    private String pullingThePlugStopsNoJob(Started scheduler, Started agent) throws Exception {
        List<String> lines = lines("## 3. ");
        assertThat(lines).hasSize(3);
        String submitted = type(List.of(new Step(lines.getFirst(), List.of()))).getFirst();
        String id = submitted.replaceAll("(?s).*(job-\\d+).*", "$1");
        Started.soon(id + " runs", () -> runs(id));

        assertThat(lines.get(1)).startsWith("pkill -9 -f '");
        String pattern = lines.get(1).split("'")[1];
        assertThat(ProcessHandle.of(scheduler.pid()).orElseThrow().info().commandLine())
                .hasValueSatisfying(line -> assertThat(line).containsPattern(pattern));
        int before = sessions();
        scheduler.kill();
        assertThat(lines.get(2)).startsWith("bin/scheduler --data-dir ./data-real ");
        begin(scheduler()).awaitReady();
        awaitSession(before);

        before = sessions();
        agent.kill();
        begin(agent());
        awaitSession(before);
        return id;
    }

    private void awaitSession(int before) {
        Started.soon("the agent has a session again", () -> sessions() > before);
    }

    /// From the agent's log.
    private int sessions() {
        try {
            return Files.readString(temp.resolve("agent.log"))
                    .split("with the scheduler, term")
                    .length;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void aQuotaHoldsJobsBack() throws Exception {
        List<Step> steps = steps("## 4. ");
        assertThat(steps).hasSize(5);
        assertShown(steps);
        var never =
                new Step(
                        "bin/gpu-cli submit --tenant-id ml --gpus 5 --script true || echo refused",
                        List.of("refused"));
        assertShown(List.of(never));
    }

    private void everythingIsRest() throws Exception {
        List<String> lines = lines("## 5. ");
        assertThat(lines).hasSize(3).allMatch(line -> line.startsWith("curl -s localhost:8080/"));
        List<String> said =
                type(
                        lines.stream()
                                .map(line -> line.replace(":8080", ":" + httpPort))
                                .map(line -> new Step(line, List.of()))
                                .toList());
        assertThat(said.get(0)).contains("\"job_id\":\"job-", "\"status\":\"submitted\"");
        assertThat(said.get(1)).contains("\"id\":\"job-1\"", "\"name\":\"hello\"");
        assertThat(said.get(2)).contains("\"openapi\"", "/api/v1/jobs");
    }

    private void assertShown(List<Step> steps) throws Exception {
        List<String> said = type(steps);
        for (int i = 0; i < steps.size(); i++) {
            assertThat(plain(said.get(i).lines().toList()))
                    .as(steps.get(i).command() + "\n" + said.get(i))
                    .containsAll(plain(steps.get(i).shown()));
        }
    }

    /// Tasks outlive their agent, so the test must leave none.
    private void cancelAll() throws Exception {
        type(
                List.of(
                        new Step(
                                "for job in $(bin/gpu-cli list -o name);"
                                        + " do bin/gpu-cli cancel $job; done",
                                List.of())));
        Started.soon("nothing runs", () -> asked("jobs?state=running").contains("\"total\":0"));
    }

    private Started begin(Started started) {
        running.addFirst(started);
        return started;
    }

    private boolean runs(String id) {
        return asked("jobs/" + id).contains("\"state\":\"running\"");
    }

    /// The commands of a chapter. Those for other terminals have no `$` before them.
    private static List<Step> steps(String chapter) throws IOException {
        var steps = new ArrayList<Step>();
        boolean goesOn = false;
        for (String text : lines(chapter)) {
            if (goesOn) {
                Step begun = steps.removeLast();
                steps.add(new Step(begun.command() + "\n" + text, begun.shown()));
            } else if (text.startsWith("$ ")) {
                steps.add(new Step(text.substring(2), new ArrayList<>()));
            } else if (!steps.isEmpty()) {
                steps.getLast().shown().add(text);
            }
            goesOn = text.endsWith("\\");
        }
        return steps;
    }

    /// The code blocks of a chapter.
    private static List<String> lines(String chapter) throws IOException {
        var lines = new ArrayList<String>();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("## ")) {
                inside = line.startsWith(chapter);
            } else if (inside && line.startsWith("    ")) {
                lines.add(line.strip());
            }
        }
        return lines;
    }

    /// The output of each command, all typed into one shell.
    private List<String> type(List<Step> steps) throws Exception {
        var script = new StringBuilder("exec 2>&1\n");
        for (Step step : steps) {
            script.append(step.command()).append("\necho '").append(END).append("'\n");
        }
        var builder =
                new ProcessBuilder("/bin/sh", "-c", script.toString())
                        .directory(Started.ROOT.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GPU_"));
        builder.environment().put("GPU_SCHEDULER_BUILD", "never");
        builder.environment().put("GPU_SCHEDULER_API_URL", url);
        Process shell = builder.start();
        String all = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> said = List.of(all.split(END + "\n"));
        assertThat(said).as(all).hasSameSizeAs(steps);
        return said;
    }

    /// The output without what differs from run to run: widths of columns, ports, and the
    /// intermediate states that were seen.
    private static List<String> plain(List<String> lines) {
        return lines.stream()
                .map(line -> line.strip().replaceAll(" +", " ").replaceAll(":\\d{4,5}$", ":PORT"))
                .filter(line -> !line.matches("job-\\d+: (pending|scheduled|running).*"))
                .toList();
    }

    private String asked(String path) {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/" + path)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private Started scheduler() {
        return Started.program(
                "scheduler",
                List.of(
                        "--data-dir",
                        temp.resolve("data-real").toString(),
                        "--http-port",
                        "" + httpPort,
                        "--grpc-port",
                        "" + grpcPort,
                        "--metrics-port",
                        "0"),
                Map.of(),
                temp.resolve("scheduler.log"));
    }

    /// The machine of the page: its name and its size.
    private Started agent() {
        return Started.program(
                "agent",
                List.of(
                        "--server", "127.0.0.1:" + grpcPort,
                        "--fake-gpus", "8xA100-80GB",
                        "--node-id", "myhost",
                        "--cpus", "16",
                        "--memory-mb", "64000",
                        "--data-dir", temp.resolve("agent").toString()),
                Map.of(),
                temp.resolve("agent.log"));
    }

    /// Restarts the scheduler at the address that the agent uses.
    private static int freePort() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
