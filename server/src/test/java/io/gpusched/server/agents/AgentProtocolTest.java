package io.gpusched.server.agents;

import static io.gpusched.server.agents.Eventually.eventually;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.event.Command;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.TaskState;
import io.gpusched.server.agents.LogSource.Fetched;
import io.gpusched.wire.agent.AgentCodec;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Both ends of the agent protocol over loopback gRPC, with the real cell between them and real
/// processes below.
final class AgentProtocolTest {
    private static final NodeId N1 = new NodeId("n1");

    @TempDir Path directory;
    private final MemoryJournal journal = new MemoryJournal();
    private final List<LoopbackAgent> agents = new ArrayList<>();
    private LoopbackScheduler scheduler;

    @BeforeEach
    void open() {
        scheduler = new LoopbackScheduler(journal, LoopbackScheduler.QUICK);
    }

    @AfterEach
    void close() {
        agents.forEach(LoopbackAgent::close);
        scheduler.close();
    }

    private LoopbackAgent agent(String name) {
        LoopbackAgent agent = new LoopbackAgent(name, directory, scheduler.port());
        agents.add(agent);
        scheduler.awaitNode(name, node -> node.status().open());
        return agent;
    }

    private void restartScheduler() {
        int port = scheduler.port();
        scheduler.close();
        scheduler = new LoopbackScheduler(journal, LoopbackScheduler.QUICK, 2, port, List.of());
    }

    private LogSource.Log log(Phase.Ended end) {
        Run run = Objects.requireNonNull(end.last());
        return new LogSource.Log(run.id(), 0, run.on().slots().getFirst().node());
    }

    private String output(LogSource.Log log) {
        StringBuilder text = new StringBuilder();
        scheduler
                .agentServices()
                .logs()
                .follow(
                        log,
                        0,
                        fetched -> {
                            text.append(
                                    switch (fetched) {
                                        case Fetched.Piece piece -> piece.content().toStringUtf8();
                                        case Fetched.Unavailable no ->
                                                "unavailable: " + no.reason();
                                    });
                            return true;
                        });
        return text.toString();
    }

    private String waitFor(String file) {
        return "while [ ! -e " + directory.resolve(file) + " ]; do sleep 0.02; done; ";
    }

    private void touch(String file) throws Exception {
        Files.createFile(directory.resolve(file));
    }

    @Test
    void aJobRunsOnANodeAndItsOutputCanBeRead() {
        agent("n1");
        JobId job =
                scheduler.submit(
                        Specs.script("echo $GPU_SCHEDULER_JOB_ID $CUDA_VISIBLE_DEVICES")
                                .gpus(2)
                                .spec());
        Phase.Ended end = scheduler.awaitEnd(job);
        assertThat(end.outcome().result()).isEqualTo(Outcome.Result.COMPLETED);
        assertThat(output(log(end))).isEqualTo("job-1 0,1\n");
    }

    @Test
    void aFailureBringsItsExitCode() {
        agent("n1");
        Phase.Ended end = scheduler.awaitEnd(scheduler.submit(Specs.script("exit 7").spec()));
        assertThat(end.outcome().result()).isEqualTo(Outcome.Result.FAILED);
        assertThat(end.outcome().exitCode()).isEqualTo(7);
    }

    @Test
    void theTimeLimitFailsAJobWithTimeout() {
        agent("n1");
        JobId job =
                scheduler.submit(Specs.script("sleep 1000").limit(Duration.ofMillis(200)).spec());
        assertThat(scheduler.awaitEnd(job).outcome().reason()).isEqualTo("timeout");
    }

    @Test
    void aCancelledJobIsStoppedOnItsNode() {
        LoopbackAgent agent = agent("n1");
        JobId job = scheduler.submit(Specs.script("sleep 1000").spec());
        scheduler.awaitRunning(job);
        scheduler.tell(new Command.Cancel(job, "tester"));
        assertThat(scheduler.awaitEnd(job).outcome().result()).isEqualTo(Outcome.Result.CANCELLED);
        eventually("no shim left", agent::quiet, () -> "a shim");
    }

    @Test
    void outputIsFollowedWhileItIsWritten() throws Exception {
        agent("n1");
        JobId job =
                scheduler.submit(Specs.script("echo one; " + waitFor("go") + "echo two").spec());
        Phase.Running running = scheduler.awaitRunning(job);
        LogSource.Log log = new LogSource.Log(running.run().id(), 0, new NodeId("n1"));
        StringBuilder seen = new StringBuilder();
        scheduler
                .agentServices()
                .logs()
                .follow(
                        log,
                        0,
                        fetched -> {
                            if (fetched instanceof Fetched.Piece piece) {
                                seen.append(piece.content().toStringUtf8());
                            }
                            if (seen.toString().equals("one\n")
                                    && !Files.exists(directory.resolve("go"))) {
                                try {
                                    touch("go");
                                } catch (Exception e) {
                                    throw new AssertionError(e);
                                }
                            }
                            return true;
                        });
        assertThat(seen.toString()).isEqualTo("one\ntwo\n");
        // Until then the task writes into the directory that is removed after the test.
        scheduler.awaitEnd(job);
    }

    @Test
    void anAgentCannotAnswerWhatAnotherOneWasAsked() throws Exception {
        agent("n1");
        JobId job =
                scheduler.submit(Specs.script("echo real; " + waitFor("go") + "echo more").spec());
        Phase.Running running = scheduler.awaitRunning(job);
        LogSource.Log log = new LogSource.Log(running.run().id(), 0, N1);
        LogSource logs = scheduler.agentServices().logs();
        var answer =
                CompletableFuture.supplyAsync(
                        () -> logs.fetch(log, 5, 1000, Duration.ofMinutes(1)),
                        task -> Thread.ofVirtual().start(task));
        try (Impostor impostor = new Impostor("n2", scheduler.port())) {
            impostor.answerLogs(100, "forged");
        }
        touch("go");
        assertThat(answer.get(1, TimeUnit.MINUTES))
                .isInstanceOfSatisfying(
                        Fetched.Piece.class,
                        piece -> assertThat(piece.content().toStringUtf8()).isEqualTo("more\n"));
    }

    @Test
    void outputOfAnUnknownNodeOrTaskIsUnavailable() {
        agent("n1");
        JobId job = scheduler.submit(Specs.script("true").spec());
        LogSource.Log log = log(scheduler.awaitEnd(job));
        assertThat(output(new LogSource.Log(log.attempt(), 5, log.node()))).contains("no log");
        assertThat(output(new LogSource.Log(log.attempt(), 0, new NodeId("n9"))))
                .contains("not connected");
    }

    @Test
    void aRestartedAgentKeepsItsTaskAndTellsHowItEnded() throws Exception {
        LoopbackAgent agent = agent("n1");
        JobId job = scheduler.submit(Specs.script(waitFor("go") + "exit 9").spec());
        Phase.Running before = scheduler.awaitRunning(job);
        agent.die();
        touch("go");
        eventually("the task ended alone", agent::quiet, () -> "still running");
        agent.comeBack();
        Phase.Ended end = scheduler.awaitEnd(job);
        assertThat(end.outcome().exitCode()).isEqualTo(9);
        assertThat(log(end).attempt()).isEqualTo(before.run().id());
    }

    @Test
    void aRestartedSchedulerFindsItsTasksAgain() throws Exception {
        agent("n1");
        JobId ends = scheduler.submit(Specs.script(waitFor("go") + "exit 4").spec());
        JobId stays = scheduler.submit(Specs.script(waitFor("later")).spec());
        Phase.Running before = scheduler.awaitRunning(ends);
        Phase.Running other = scheduler.awaitRunning(stays);
        int port = scheduler.port();
        scheduler.close();
        touch("go");
        scheduler = new LoopbackScheduler(journal, LoopbackScheduler.QUICK, 2, port, List.of());
        Phase.Ended end = scheduler.awaitEnd(ends);
        assertThat(end.outcome().exitCode()).isEqualTo(4);
        assertThat(log(end).attempt()).isEqualTo(before.run().id());
        assertThat(scheduler.awaitRunning(stays).run().id()).isEqualTo(other.run().id());
        touch("later");
        assertThat(scheduler.awaitEnd(stays).outcome().result())
                .isEqualTo(Outcome.Result.COMPLETED);
    }

    @Test
    void aJobCancelledWhileItsAgentWasAwayIsStoppedWhenItComesBack() {
        LoopbackAgent agent = agent("n1");
        JobId job = scheduler.submit(Specs.script("sleep 1000").spec());
        scheduler.awaitRunning(job);
        agent.die();
        scheduler.tell(new Command.Cancel(job, "tester"));
        assertThat(agent.quiet()).isFalse();
        agent.comeBack();
        assertThat(scheduler.awaitEnd(job).outcome().result()).isEqualTo(Outcome.Result.CANCELLED);
    }

    @Test
    void anAgentThatLostItsMemoryHasLostItsTasks() throws Exception {
        LoopbackAgent agent = agent("n1");
        JobId job =
                scheduler.submit(
                        Specs.script("echo x >> " + directory.resolve("runs") + "; sleep 1000")
                                .spec());
        scheduler.awaitRunning(job);
        agent.die();
        Files.delete(directory.resolve("n1/lease"));
        eventually("the task ended alone", agent::quiet, () -> "still running");
        Files.move(directory.resolve("n1/tasks"), directory.resolve("n1/gone"));
        agent.comeBack();
        scheduler.await(job, "a second run", now -> now.attempts() == 2);
        scheduler.awaitRunning(job);
        eventually("two runs in all", () -> lines("runs").size() == 2, () -> lines("runs"));
        assertThat(scheduler.job(job).losses()).isEqualTo(1);
    }

    private List<String> lines(String file) {
        try {
            Path path = directory.resolve(file);
            return Files.exists(path) ? Files.readAllLines(path) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aGangStartsTogetherAndItsRanksKnowWhereToMeet() {
        agent("n1");
        agent("n2");
        JobId job =
                scheduler.submit(
                        Specs.script(
                                        "echo $RANK $WORLD_SIZE $LOCAL_RANK $MASTER_ADDR"
                                                + " $MASTER_PORT >> "
                                                + directory.resolve("ranks"))
                                .gpus(4)
                                .tasks(2)
                                .spec());
        assertThat(scheduler.awaitEnd(job).outcome().result()).isEqualTo(Outcome.Result.COMPLETED);
        List<String> ranks = lines("ranks").stream().sorted().toList();
        assertThat(ranks).hasSize(2);
        assertThat(ranks.get(0)).startsWith("0 2 0 127.0.0.1 ");
        assertThat(ranks.get(1)).startsWith("1 2 0 127.0.0.1 ");
        assertThat(ranks.get(0).split(" ")[4]).isEqualTo(ranks.get(1).split(" ")[4]);
    }

    @Test
    void aGangThatCannotBePreparedEverywhereStartsNowhere() {
        LoopbackAgent first = agent("n1");
        LoopbackAgent second = agent("n2");
        second.die();
        JobId job =
                scheduler.submit(
                        Specs.script("echo ran >> " + directory.resolve("runs"))
                                .gpus(4)
                                .tasks(2)
                                .spec());
        scheduler.await(
                job,
                "one task prepared",
                now -> {
                    Run run = now.phase().run();
                    return run != null
                            && run.tasks().stream().anyMatch(t -> t instanceof TaskState.Prepared);
                });
        scheduler.tell(new Command.Cancel(job, "tester"));
        scheduler.await(
                job,
                "the prepared task is gone",
                now ->
                        now.phase().run() != null
                                && now.phase().run().tasks().stream().anyMatch(TaskState::ended));
        eventually("no shim left", first::quiet, () -> "a shim");
        second.comeBack();
        assertThat(scheduler.awaitEnd(job).outcome().result()).isEqualTo(Outcome.Result.CANCELLED);
        assertThat(lines("runs")).isEmpty();
    }

    @Test
    void aRefusedStartHasAReason() {
        agent("n1");
        JobId job = scheduler.submit(Specs.script("true").in("/no/such/place").spec());
        scheduler.await(job, "a refused start", now -> now.losses() == 1);
        assertThat(scheduler.job(job).phase()).isInstanceOf(Phase.Waiting.class);
    }

    @Test
    void readingsOfGpusAreThereToBeLookedAt() {
        agent("n1");
        NodeId node = new NodeId("n1");
        eventually(
                "a reading",
                () -> scheduler.agentServices().telemetry().latest(node) != null,
                () -> "none");
        Telemetry.Reading reading =
                Objects.requireNonNull(scheduler.agentServices().telemetry().latest(node));
        assertThat(reading.gpus()).hasSize(4);
        assertThat(reading.gpus().getFirst().celsius()).isBetween(20.0, 60.0);
        assertThat(scheduler.awaitNode("n1", n -> true).condition(0).heat()).isEqualTo(Heat.COOL);
        AgentPresence.Contact contact =
                Objects.requireNonNull(scheduler.agentServices().contact(node));
        assertThat(contact.connected()).isTrue();
        assertThat(contact.heardAt()).isNotNull();
    }

    @Test
    void aSilentNodeIsUnreachableUntilItIsBack() {
        LoopbackAgent agent = agent("n1");
        JobId job = scheduler.submit(Specs.script("sleep 1000").spec());
        Phase.Running before = scheduler.awaitRunning(job);
        agent.die();
        eventually(
                "no agent",
                () -> !Objects.requireNonNull(scheduler.agentServices().contact(N1)).connected(),
                () -> scheduler.agentServices().contact(N1));
        scheduler.awaitNode("n1", node -> node.status().reach() == NodeStatus.Reach.UNREACHABLE);
        agent.comeBack();
        scheduler.awaitNode("n1", node -> node.status().open());
        assertThat(scheduler.awaitRunning(job).run().id()).isEqualTo(before.run().id());
    }

    @Test
    void aRestartedSchedulerKeepsTheNameOfANodeForTheAgentItKnew() {
        LoopbackAgent agent = agent("n1");
        JobId job = scheduler.submit(Specs.script("sleep 1000").spec());
        Phase.Running before = scheduler.awaitRunning(job);
        agent.die();
        restartScheduler();
        try (var impostor = new Impostor("n1", scheduler.port())) {
            assertThatThrownBy(impostor::register)
                    .hasMessageContaining("ALREADY_EXISTS")
                    .hasMessageContaining("another agent named n1");
        }
        agent.comeBack();
        eventually(
                "the agent",
                () -> Objects.requireNonNull(scheduler.agentServices().contact(N1)).connected(),
                () -> scheduler.agentServices().contact(N1));
        assertThat(scheduler.awaitRunning(job).run().id()).isEqualTo(before.run().id());
        assertThat(scheduler.job(job).attempts()).isOne();
    }

    @Test
    void anAgentCannotSpeakForTheTaskOfAnotherNode() throws Exception {
        agent("n1");
        JobId job = scheduler.submit(Specs.script(waitFor("go")).spec());
        Phase.Running running = scheduler.awaitRunning(job);
        var ended =
                TaskReport.newBuilder()
                        .setTask(AgentCodec.ref(running.run().id(), 0))
                        .setEnded(TaskReport.Ended.getDefaultInstance());
        try (var impostor = new Impostor("n2", scheduler.port())) {
            impostor.tell(ended);
        }
        assertThat(scheduler.job(job).phase()).isInstanceOf(Phase.Running.class);
        touch("go");
        assertThat(scheduler.awaitEnd(job).outcome().result()).isEqualTo(Outcome.Result.COMPLETED);
    }

    @Test
    void aRestartedSchedulerSpeaksToItsAgentsUnderItsOwnTerm() throws Exception {
        LoopbackAgent agent = agent("n1");
        restartScheduler();
        JobId job = scheduler.submit(Specs.script("true").spec());
        scheduler.awaitEnd(job);
        assertThat(Files.readString(directory.resolve("n1/term")).strip()).isEqualTo("2");
        assertThat(agent.quiet()).isTrue();
    }
}
