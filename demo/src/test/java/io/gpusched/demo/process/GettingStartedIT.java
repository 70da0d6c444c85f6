package io.gpusched.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// "Run real processes" of the guide's first page, typed as it is written there: a scheduler, an
/// agent, and every command after a `$`, in one shell. What the page shows is what appears.
@Timeout(240)
final class GettingStartedIT {
    private static final Path PAGE = Started.ROOT.resolve("docs/guide/getting-started.md");
    private static final String END = "<end of the command>";

    /// What a command line says and what the page shows below it.
    private record Step(String command, List<String> shown) {}

    @TempDir Path temp;

    @Test
    void realProcessesRunAsThePageSays() throws Exception {
        List<Step> steps = steps("## 2. ");
        assertThat(steps).hasSizeGreaterThan(5);
        try (Started scheduler = scheduler()) {
            List<String> addresses = scheduler.awaitReady();
            try (Started agent = agent(addresses.get(1))) {
                assertThat(agent).isNotNull();
                Started.soon("the node is ready", () -> isReady(addresses.getFirst()));
                List<String> said = type(steps, addresses.getFirst());
                for (int i = 0; i < steps.size(); i++) {
                    assertThat(plain(said.get(i).lines().toList()))
                            .as(steps.get(i).command())
                            .containsAll(plain(steps.get(i).shown()));
                }
            }
        }
    }

    /// The commands of a chapter. Those for other terminals have no `$` before them.
    private static List<Step> steps(String chapter) throws IOException {
        var steps = new ArrayList<Step>();
        boolean inside = false;
        boolean goesOn = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("## ")) {
                inside = line.startsWith(chapter);
            } else if (inside && line.startsWith("    ")) {
                String text = line.strip();
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
        }
        return steps;
    }

    /// What each of the commands writes, all typed into one shell.
    private static List<String> type(List<Step> steps, String url) throws Exception {
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

    /// Without what differs from run to run: how wide columns are, which port was free, and which
    /// states on the way to the end were seen.
    private static List<String> plain(List<String> lines) {
        return lines.stream()
                .map(line -> line.strip().replaceAll(" +", " ").replaceAll(":\\d{4,5}$", ":PORT"))
                .filter(line -> !line.matches("job-\\d+: (pending|scheduled|running).*"))
                .toList();
    }

    private static boolean isReady(String url) {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/nodes")).build();
            String nodes = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return nodes.contains("myhost");
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
                        "--data-dir", temp.resolve("data-real").toString(),
                        "--http-port", "0",
                        "--grpc-port", "0",
                        "--metrics-port", "0"),
                Map.of(),
                temp.resolve("scheduler.log"));
    }

    /// The machine of the page: its name and its size.
    private Started agent(String server) {
        return Started.program(
                "agent",
                List.of(
                        "--server", server,
                        "--fake-gpus", "8xA100-80GB",
                        "--node-id", "myhost",
                        "--cpus", "16",
                        "--memory-mb", "64000",
                        "--data-dir", temp.resolve("agent").toString()),
                Map.of(),
                temp.resolve("agent.log"));
    }
}
