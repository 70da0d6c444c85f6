package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A job never runs twice at once, whichever process is killed.
final class FencingTest {
    private static final AgentTimes SHORT =
            new AgentTimes(
                    Duration.ofSeconds(2),
                    Duration.ofMillis(100),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(700),
                    Duration.ofSeconds(2));

    private static final Duration LONG = Duration.ofSeconds(8);

    @TempDir Path directory;
    private final MemoryJournal journal = new MemoryJournal();

    /// A script that ignores SIGTERM, and records an overlap if the directory that marks a run
    /// exists already. The test removes the directory when the shim of the first run reports that
    /// nothing is left of it.
    private String jealous() {
        return """
        trap '' TERM
        mkdir HERE/held || { echo overlap >> HERE/overlaps; exit 1; }
        while [ ! -e HERE/done ]; do sleep 0.05; done
        """
                .replace("HERE", directory.toString());
    }

    @Test
    void theJobOfADeadNodeStartsElsewhereOnlyAfterItsLeaseKilledIt() throws Exception {
        try (LoopbackScheduler scheduler = new LoopbackScheduler(journal, SHORT);
                LoopbackAgent first = new LoopbackAgent("n1", directory, scheduler.port())) {
            scheduler.awaitNode("n1", node -> node.status().open());
            JobId job = scheduler.submit(Specs.script(jealous()).spec());
            Phase.Running before = scheduler.awaitRunning(job);
            first.die();
            try (LoopbackAgent second = new LoopbackAgent("n2", directory, scheduler.port())) {
                Path exit = first.taskFile("1.1.1.0", "exit");
                Eventually.eventually(
                        "the lease ended it", () -> Files.exists(exit), () -> "no exit");
                assertThat(Files.readString(exit)).startsWith("lease 137 ");
                assertThat(scheduler.job(job).attempts()).isEqualTo(1);
                Files.delete(directory.resolve("held"));
                scheduler.await(job, "a second run", now -> now.attempts() == 2);
                assertThat(scheduler.awaitRunning(job).run().id()).isNotEqualTo(before.run().id());
                Files.createFile(directory.resolve("done"));
                assertThat(scheduler.awaitEnd(job).outcome().result())
                        .isEqualTo(Outcome.Result.COMPLETED);
                assertThat(directory.resolve("overlaps")).doesNotExist();
                assertThat(second.quiet()).isTrue();
            }
        }
    }

    @Test
    void aNewSchedulerWaitsAFullLeaseBeforeItGivesUpANode() throws Exception {
        LoopbackScheduler old = new LoopbackScheduler(journal, SHORT);
        int port = old.port();
        try (LoopbackAgent first = new LoopbackAgent("n1", directory, port)) {
            old.awaitNode("n1", node -> node.status().open());
            JobId job = old.submit(Specs.script(jealous()).spec());
            old.awaitRunning(job);
            first.die();
            old.close();
            try (LoopbackScheduler scheduler =
                            new LoopbackScheduler(journal, SHORT, 2, port, List.of());
                    LoopbackAgent _ = new LoopbackAgent("n2", directory, port)) {
                Path exit = first.taskFile("1.1.1.0", "exit");
                Eventually.eventually(
                        "the lease ended it", () -> Files.exists(exit), () -> "no exit");
                assertThat(scheduler.job(job).attempts()).isEqualTo(1);
                Files.delete(directory.resolve("held"));
                scheduler.await(job, "a second run", now -> now.attempts() == 2);
                Files.createFile(directory.resolve("done"));
                scheduler.awaitEnd(job);
                assertThat(directory.resolve("overlaps")).doesNotExist();
            }
        }
    }

    @Test
    void aShorterLeaseIsUsedOnlyWhenTheLongerOneHasRunOut() throws Exception {
        LoopbackScheduler old = new LoopbackScheduler(journal, SHORT.withLease(LONG));
        int port = old.port();
        try (LoopbackAgent first = new LoopbackAgent("n1", directory, port)) {
            old.awaitNode("n1", node -> node.status().open());
            JobId job = old.submit(Specs.script(jealous()).spec());
            old.awaitRunning(job);
            assertThat(old.recordedLease()).isEqualTo(LONG);
            first.die();
            old.close();
            try (LoopbackScheduler scheduler =
                            new LoopbackScheduler(journal, SHORT, 2, port, List.of());
                    LoopbackAgent _ = new LoopbackAgent("n2", directory, port)) {
                Path exit = first.taskFile("1.1.1.0", "exit");
                Eventually.eventually(
                        "the lease ended it", () -> Files.exists(exit), () -> "no exit");
                assertThat(scheduler.job(job).attempts()).isEqualTo(1);
                Files.delete(directory.resolve("held"));
                scheduler.await(job, "a second run", now -> now.attempts() == 2);
                Files.createFile(directory.resolve("done"));
                scheduler.awaitEnd(job);
                assertThat(directory.resolve("overlaps")).doesNotExist();
                Eventually.eventually(
                        "the shorter lease is recorded",
                        () -> scheduler.recordedLease().equals(SHORT.lease()),
                        scheduler::recordedLease);
            }
        }
    }

    @Test
    void anAgentThatWasGivenUpComesBackEmptyHanded() throws Exception {
        try (LoopbackScheduler scheduler = new LoopbackScheduler(journal, SHORT);
                LoopbackAgent first = new LoopbackAgent("n1", directory, scheduler.port())) {
            scheduler.awaitNode("n1", node -> node.status().open());
            JobId job = scheduler.submit(Specs.script("sleep 1000").spec());
            scheduler.awaitRunning(job);
            first.die();
            scheduler.await(job, "waiting again", now -> now.phase() instanceof Phase.Waiting);
            assertThat(first.quiet()).isTrue();
            first.comeBack();
            scheduler.awaitRunning(job);
            assertThat(scheduler.job(job).attempts()).isEqualTo(2);
            assertThat(scheduler.job(job).losses()).isEqualTo(1);
        }
    }
}
