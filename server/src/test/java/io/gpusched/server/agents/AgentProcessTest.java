package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The agent as a process of its own, which can be killed with SIGKILL.
final class AgentProcessTest {
    @TempDir Path directory;

    private Process start(int port) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.gpusched.agent.Main",
                        "--server",
                        "localhost:" + port,
                        "--node-id",
                        "n1",
                        "--data-dir",
                        directory.resolve("data").toString(),
                        "--fake-gpus",
                        "2xA100-80GB",
                        "--labels",
                        "zone=b")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("out").toFile()))
                .start();
    }

    @Test
    void anAgentKilledWithSigkillTakesOverItsTasksWhenItIsStartedAgain() throws Exception {
        Path go = directory.resolve("go");
        Process agent = null;
        try (LoopbackScheduler scheduler =
                new LoopbackScheduler(new MemoryJournal(), LoopbackScheduler.QUICK)) {
            agent = start(scheduler.port());
            scheduler.awaitNode("n1", node -> node.facts().labels().value("zone").equals("b"));
            JobId runs =
                    scheduler.submit(
                            Specs.script("while [ ! -e " + go + " ]; do sleep 0.02; done; exit 5")
                                    .spec());
            JobId ends =
                    scheduler.submit(
                            Specs.script("while [ ! -e " + go + "2 ]; do sleep 0.02; done; exit 6")
                                    .spec());
            Phase.Running running = scheduler.awaitRunning(runs);
            scheduler.awaitRunning(ends);
            agent.destroyForcibly().waitFor();
            Files.createFile(directory.resolve("go2"));
            Path exit = directory.resolve("data/tasks/2.1.1.0/exit");
            eventually("the second job ended without an agent", () -> Files.exists(exit), () -> "");
            agent = start(scheduler.port());
            assertThat(scheduler.awaitEnd(ends).outcome().exitCode()).isEqualTo(6);
            assertThat(scheduler.awaitRunning(runs).run().id()).isEqualTo(running.run().id());
            Files.createFile(go);
            assertThat(scheduler.awaitEnd(runs).outcome().exitCode()).isEqualTo(5);
            assertThat(scheduler.job(runs).attempts()).isOne();
        } finally {
            Files.deleteIfExists(directory.resolve("data/lease"));
            if (agent != null) {
                agent.destroy();
                agent.waitFor();
            }
        }
    }

    @Test
    void aSecondAgentOnTheSameDataIsRefused() throws Exception {
        try (LoopbackScheduler scheduler =
                new LoopbackScheduler(new MemoryJournal(), LoopbackScheduler.QUICK)) {
            Process first = start(scheduler.port());
            try {
                scheduler.awaitNode("n1", node -> node.status().open());
                Process second = start(scheduler.port());
                assertThat(second.waitFor()).isEqualTo(2);
                List<String> said = Files.readAllLines(directory.resolve("out"));
                assertThat(said).anyMatch(line -> line.contains("another agent is using"));
            } finally {
                first.destroy();
                first.waitFor();
            }
        }
    }
}
