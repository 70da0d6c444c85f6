package io.gpusched.agent.task;

import static io.gpusched.agent.Eventually.eventually;
import static io.gpusched.agent.task.Orders.command;
import static io.gpusched.agent.task.Orders.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What the shim guarantees without an agent. No test here lets the host converge while it waits:
/// only files are read, as after the agent's death.
final class ShimTest {
    @TempDir Path directory;
    private Machine machine;

    @BeforeEach
    void open() {
        machine = new Machine(directory);
    }

    @AfterEach
    void close() {
        machine.close();
    }

    private void awaitExitFile(TaskOrder task) {
        Path exit = machine.directoryOf(task).resolve("exit");
        eventually("the shim recorded the end", () -> Files.exists(exit));
    }

    private TaskOrder running(TaskOrder task) {
        machine.want(task);
        machine.await(task, TaskReport::hasRunning);
        return task;
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    @Test
    void theEndOfTheLeaseEndsATaskWithoutAnyAgent() throws Exception {
        TaskOrder task = running(command("sleep", "1000").run());
        long soon = Uptime.now() + 20;
        AtomicFiles.write(machine.leaseFile(), soon + " " + Uptime.boot());
        awaitExitFile(task);
        assertThat(machine.processes()).isEmpty();
        machine.restartAgent();
        TaskReport.Ended end = machine.report(task).getEnded();
        assertThat(end.getHow()).isEqualTo(How.LEASE_EXPIRED);
        assertThat(end.getExitCode()).isEqualTo(128 + 15);
    }

    @Test
    void aStubbornTaskIsKilledOneGraceAfterTheLease() throws Exception {
        TaskOrder task =
                running(
                        script("trap '' TERM; while :; do sleep 0.1; done")
                                .grace(Duration.ofMillis(300))
                                .run());
        AtomicFiles.write(machine.leaseFile(), Uptime.now() + " " + Uptime.boot());
        awaitExitFile(task);
        assertThat(machine.processes()).isEmpty();
        assertThat(machine.report(task).getEnded().getExitCode()).isEqualTo(128 + 9);
    }

    @Test
    void aMissingLeaseIsNoLease() throws Exception {
        TaskOrder task = running(command("sleep", "1000").run());
        Files.delete(machine.leaseFile());
        awaitExitFile(task);
        machine.renewLease(Duration.ofMinutes(1));
        assertThat(machine.report(task).getEnded().getHow()).isEqualTo(How.LEASE_EXPIRED);
    }

    @Test
    void aRestartedAgentTakesOverWhatRunsAndWhatEnded() throws Exception {
        Path flag = directory.resolve("flag");
        TaskOrder runs =
                running(script("while [ ! -e " + flag + " ]; do sleep 0.02; done; exit 5").run());
        TaskOrder ended = script("exit 6").job(2).run();
        machine.want(runs, ended);
        awaitExitFile(ended);
        machine.restartAgent();
        assertThat(machine.report(runs).hasRunning()).isTrue();
        assertThat(machine.report(ended).getEnded().getExitCode()).isEqualTo(6);
        Files.createFile(flag);
        assertThat(machine.awaitEnd(runs).getExitCode()).isEqualTo(5);
    }

    @Test
    void aTaskWhoseShimIsKilledIsEndedByTheGuard() {
        TaskOrder task = running(command("sleep", "1000").run());
        kill(machine.pidOf(task, "shim", 0));
        awaitExitFile(task);
        assertThat(machine.processes()).isEmpty();
        assertThat(machine.report(task).getEnded().getHow()).isEqualTo(How.LOST);
    }

    @Test
    void aTaskWhoseShimAndGuardAreKilledIsEndedByTheAgent() {
        TaskOrder task = running(script("setsid sleep 1000 & sleep 1000").run());
        kill(machine.pidOf(task, "shim", 2));
        kill(machine.pidOf(task, "shim", 0));
        assertThat(machine.awaitEnd(task).getHow()).isEqualTo(How.LOST);
        assertThat(machine.processes()).isEmpty();
    }

    @Test
    void aRecycledPidIsNotTakenForTheShim() throws Exception {
        TaskOrder task = running(command("sleep", "1000").run());
        long us = ProcessHandle.current().pid();
        long shim = machine.pidOf(task, "shim", 0);
        long guard = machine.pidOf(task, "shim", 2);
        AtomicFiles.write(machine.directoryOf(task).resolve("shim"), us + " 1 " + us + " 1");
        kill(guard);
        kill(shim);
        assertThat(machine.awaitEnd(task).getHow()).isEqualTo(How.LOST);
        assertThat(machine.processes()).isEmpty();
    }

    @Test
    void aTaskOfAnEarlierBootIsLost() throws Exception {
        TaskOrder task = script("exit 0").run();
        machine.want(task);
        awaitExitFile(task);
        Files.delete(machine.directoryOf(task).resolve("exit"));
        Files.writeString(machine.directoryOf(task).resolve("boot"), "another");
        machine.restartAgent();
        TaskReport.Ended end = machine.report(task).getEnded();
        assertThat(end.getHow()).isEqualTo(How.LOST);
        assertThat(end.getDetail()).isEqualTo("the machine restarted");
    }

    @Test
    void aLeaseOfAnEarlierBootIsVoid() throws Exception {
        AtomicFiles.write(machine.leaseFile(), Long.MAX_VALUE + " another-boot");
        assertThat(new FileLease(machine.leaseFile(), Duration.ofHours(1)).holds()).isFalse();
    }

    @Test
    void aTaskMaySignalItsWholeGroupWithoutHittingTheShim() {
        TaskOrder task = script("kill -9 0").run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isEqualTo(128 + 9);
    }

    @Test
    void aTaskCanBeInterruptedByItself() throws IOException {
        assumeTrue(
                !SignalReset.prefix().isEmpty() || SignalReset.ignored().isEmpty(),
                "signals that we ignore stay ignored without an env that knows --default-signal");
        TaskOrder task = script("trap 'exit 4' INT; kill -INT $$; exit 0").run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isEqualTo(4);
    }

    @Test
    void aTaskThatWasHalfMadeWhenTheAgentDiedIsNeverStartedLater() throws Exception {
        TaskOrder task = script("echo ran").run();
        TaskDirectory.create(directory.resolve("tasks"), Machine.NODE, task);
        machine.restartAgent();
        machine.want(task);
        assertThat(machine.report(task).hasPreparing()).isTrue();
        assertThat(machine.awaitEnd(task).getHow()).isEqualTo(How.LOST);
    }

    /// A process forked during the stop would otherwise live for the whole grace period.
    @Test
    void aProcessForkedDuringTheStopIsTerminatedToo() {
        Orders order =
                script(
                        """
                        i=0
                        while [ $i -lt 300 ]; do sleep 1000 & i=$((i + 1)); done
                        wait
                        """);
        TaskOrder task = running(order.run());
        machine.want(order.stop(Duration.ofHours(1), "while it forks"));
        assertThat(machine.awaitEnd(task).getHow()).isEqualTo(How.STOPPED);
        assertThat(machine.processes()).isEmpty();
    }

    @Test
    void whatAHandlerStartsToCleanUpIsLeftInPeace() {
        Orders order =
                script(
                        """
                        trap 'sleep 0.5 && echo saved; exit 0' TERM
                        setsid sleep 1000 &
                        echo up
                        while :; do sleep 0.05; done
                        """);
        TaskOrder task = running(order.run());
        eventually("the trap is set", () -> machine.log(task).contains("up"));
        machine.want(order.stop(Duration.ofHours(1), "gently"));
        assertThat(machine.awaitEnd(task).getExitCode()).isZero();
        assertThat(machine.log(task)).contains("saved");
    }

    @Test
    void aTaskCanBeStoppedOrLoseItsShimAtAnyMoment() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        List<TaskOrder> tasks = new ArrayList<>();
        List<TaskOrder> stops = new ArrayList<>();
        for (int job = 1; job <= 16; job++) {
            Orders order = script("setsid sleep 1000 & exec sleep 1000").job(job);
            tasks.add(order.run());
            stops.add(order.stop(Duration.ofMillis(200), "at once"));
        }
        machine.want(tasks.toArray(TaskOrder[]::new));
        for (TaskOrder task : tasks) {
            int patience = random.nextInt(4_000);
            Path shim = machine.directoryOf(task).resolve("shim");
            for (int i = 0; i < patience && !Files.exists(shim); i++) {
                Thread.onSpinWait();
            }
            if (random.nextInt(3) == 0 && Files.exists(shim)) {
                ProcessHandle.of(machine.pidOf(task, "shim", 0))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        machine.want(stops.toArray(TaskOrder[]::new));
        for (TaskOrder task : tasks) {
            assertThat(machine.awaitEnd(task).getHow())
                    .as("seed %s, %s", seed, machine.report(task))
                    .isIn(How.STOPPED, How.LOST);
        }
        assertThat(machine.processes()).as("seed %s", seed).isEmpty();
    }
}
