package io.gpusched.agent.task;

import static io.gpusched.agent.Eventually.eventually;
import static io.gpusched.agent.task.Orders.command;
import static io.gpusched.agent.task.Orders.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.Rendezvous;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Starting, stopping and reporting, with real processes of this machine.
final class ProcessHostTest {
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

    @Test
    void aTaskRunsAndItsExitCodeAndOutputAreKept() {
        TaskOrder task = script("echo out; echo err >&2; exit 3").run();
        machine.want(task);
        TaskReport.Ended end = machine.awaitEnd(task);
        assertThat(end.getHow()).isEqualTo(How.EXITED);
        assertThat(end.getExitCode()).isEqualTo(3);
        assertThat(machine.log(task)).isEqualTo("out\nerr\n");
        assertThat(machine.chunk(task, 0).getComplete()).isTrue();
    }

    @Test
    void commandAndArgsWinOverTheScriptAndAreNeverReadByAShell() {
        TaskOrder task = command("printf", "%s|").args("a b", "$HOME", "it's", "x=1", "").run();
        TaskOrder both =
                task.toBuilder().setSpec(task.getSpec().toBuilder().setScript("exit 9")).build();
        machine.want(both);
        assertThat(machine.awaitEnd(both).getExitCode()).isZero();
        assertThat(machine.log(both)).isEqualTo("a b|$HOME|it's|x=1||");
    }

    @Test
    void aCommandThatDoesNotExistEndsWith127AndSaysSoInItsLog() {
        TaskOrder task = command("no-such-program").run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isEqualTo(127);
        assertThat(machine.log(task)).contains("no-such-program");
    }

    @Test
    void aScriptLongerThanAnArgumentMayBeStillRuns() {
        TaskOrder task = script("#" + "x".repeat(300_000) + "\necho done").run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isZero();
        assertThat(machine.log(task)).isEqualTo("done\n");
    }

    @Test
    void theGrantDecidesWhichGpusATaskSees() {
        String show = "echo $CUDA_VISIBLE_DEVICES/$NVIDIA_VISIBLE_DEVICES/$MINE";
        TaskOrder two =
                script(show)
                        .env("CUDA_VISIBLE_DEVICES", "0,1,2,3")
                        .env("MINE", "x")
                        .gpus(5, 7)
                        .run();
        TaskOrder none = script(show).job(2).env("NVIDIA_VISIBLE_DEVICES", "all").run();
        machine.want(two, none);
        machine.awaitEnd(two);
        machine.awaitEnd(none);
        assertThat(machine.log(two)).isEqualTo("5,7/5,7/x\n");
        assertThat(machine.log(none)).isEqualTo("/void/\n");
    }

    @Test
    void theRanksOfAGangKnowEachOther() {
        TaskOrder task =
                script(
                                "echo $RANK $WORLD_SIZE $LOCAL_RANK $LOCAL_WORLD_SIZE $MASTER_ADDR"
                                        + " $MASTER_PORT $GPU_SCHEDULER_JOB_ID")
                        .rank(3)
                        .run(
                                Rendezvous.newBuilder()
                                        .setWorldSize(4)
                                        .setLocalRank(1)
                                        .setLocalWorldSize(2)
                                        .setMasterAddr("10.0.0.7")
                                        .setMasterPort(29500));
        machine.want(task);
        machine.awaitEnd(task);
        assertThat(machine.log(task)).isEqualTo("3 4 1 2 10.0.0.7 29500 job-1\n");
    }

    @Test
    void nothingOfTheAgentsOwnEnvironmentLeaksIntoATask() {
        TaskOrder task = command("env").run();
        machine.want(task);
        machine.awaitEnd(task);
        assertThat(machine.log(task).lines().map(line -> line.split("=")[0]))
                .allMatch(
                        name ->
                                name.startsWith("GPU_SCHEDULER_")
                                        || name.contains("VISIBLE_DEVICES")
                                        || name.equals("CUDA_DEVICE_ORDER")
                                        || name.matches(
                                                "PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_ALL|TZ|TMPDIR|LD_LIBRARY_PATH"));
    }

    @Test
    void aMissingWorkingDirectoryRefusesTheStart() {
        TaskOrder task = script("pwd").in("/no/such/place").run();
        machine.want(task);
        assertThat(machine.report(task).getRefused().getReason()).contains("/no/such/place");
    }

    @Test
    void aReadOnlyDiskRefusesTheStartAndAffectsNoOtherTask() throws Exception {
        TaskOrder runs = command("sleep", "1000").run();
        TaskOrder fresh = script("echo ran").job(2).run();
        Path inTheWay = Files.createFile(machine.directoryOf(fresh));
        machine.want(fresh, runs);
        machine.await(runs, TaskReport::hasRunning);
        assertThat(machine.report(fresh).getRefused().getReason())
                .contains("cannot create a directory");
        Files.delete(inTheWay);
        machine.want(fresh, runs);
        assertThat(machine.report(fresh).hasRefused()).isTrue();
        machine.want(runs);
        assertThat(machine.report(fresh)).isEqualTo(TaskReport.getDefaultInstance());
        assertThat(machine.report(runs).hasRunning()).isTrue();
    }

    @Test
    void aTaskStartsInItsWorkingDirectory() throws Exception {
        Path place = Files.createDirectory(directory.resolve("it's a place"));
        TaskOrder task = script("pwd").in(place.toString()).run();
        machine.want(task);
        machine.awaitEnd(task);
        assertThat(machine.log(task).strip()).isEqualTo(place.toString());
    }

    @Test
    void aPreparedTaskDoesNotStartBeforeItMay() {
        Orders gang = script("echo ran");
        TaskOrder prepared = gang.prepare();
        machine.want(prepared);
        TaskReport report = machine.await(prepared, TaskReport::hasPrepared);
        assertThat(report.getPrepared().getFreePort()).isPositive();
        assertThat(machine.log(prepared)).isEmpty();
        machine.want(gang.run());
        assertThat(machine.awaitEnd(prepared).getExitCode()).isZero();
        assertThat(machine.log(prepared)).isEqualTo("ran\n");
    }

    @Test
    void aPreparedTaskThatIsStoppedNeverStarts() {
        Orders gang = script("echo ran");
        machine.want(gang.prepare());
        machine.await(gang.prepare(), TaskReport::hasPrepared);
        TaskOrder stop = gang.stop(Duration.ZERO, "gang aborted");
        machine.want(stop);
        TaskReport.Ended end = machine.awaitEnd(stop);
        assertThat(end.getHow()).isEqualTo(How.STOPPED);
        assertThat(end.hasExitCode()).isFalse();
        assertThat(end.getDetail()).isEqualTo("gang aborted");
        assertThat(machine.log(stop)).isEmpty();
    }

    @Test
    void aStopOfATaskThatNeverCameIsAnsweredAndItsLateStartIgnored() {
        Orders job = script("echo ran");
        machine.want(job.stop(Duration.ZERO, "cancelled"));
        assertThat(machine.report(job.run()).getEnded().getHow()).isEqualTo(How.STOPPED);
        machine.want(job.run());
        assertThat(machine.report(job.run()).getEnded().getHow()).isEqualTo(How.STOPPED);
        assertThat(machine.log(job.run())).isEmpty();
    }

    @Test
    void aStoppedTaskMayFinishWithinItsGrace() {
        Orders job =
                script("trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.05; done");
        machine.want(job.run());
        eventually("the task is up", () -> machine.log(job.run()).equals("up\n"));
        machine.want(job.stop(Duration.ofMinutes(1), "preempted"));
        TaskReport.Ended end = machine.awaitEnd(job.run());
        assertThat(end.getHow()).isEqualTo(How.STOPPED);
        assertThat(end.getExitCode()).isZero();
        assertThat(end.getDetail()).isEqualTo("preempted");
        assertThat(machine.log(job.run())).endsWith("saved\n");
    }

    @Test
    void aTaskThatIgnoresTheStopIsKilledWithEverythingItStarted() {
        Orders job =
                script(
                        """
                        trap '' TERM
                        (while :; do sleep 0.2; done) &
                        setsid sh -c 'trap "" TERM; while :; do sleep 0.2; done' &
                        setsid env -u NOTHING sleep 1000 &
                        env -i sleep 1000 &
                        echo up
                        while :; do sleep 0.2; done
                        """);
        machine.want(job.run());
        eventually("the task is up", () -> machine.log(job.run()).equals("up\n"));
        machine.want(job.stop(Duration.ofMillis(300), "cancelled"));
        TaskReport.Ended end = machine.awaitEnd(job.run());
        assertThat(end.getHow()).isEqualTo(How.STOPPED);
        assertThat(end.getExitCode()).isEqualTo(128 + 9);
        assertThat(machine.processes()).isEmpty();
    }

    @Test
    void remainingProcessesAreEndedBeforeTheEndIsReported() {
        TaskOrder task = script("setsid sleep 1000 & sleep 1000 & echo gone").run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isZero();
        assertThat(machine.processes()).isEmpty();
    }

    @Test
    void aTaskThatIsNoLongerAssignedIsStopped() {
        TaskOrder task = command("sleep", "1000").run();
        machine.want(task);
        machine.await(task, TaskReport::hasRunning);
        machine.want();
        TaskReport.Ended end = machine.awaitEnd(task);
        assertThat(end.getHow()).isEqualTo(How.STOPPED);
        assertThat(end.getDetail()).isEqualTo("no longer wanted");
    }

    @Test
    void theTimeLimitEndsATaskAndIsReported() {
        TaskOrder task = command("sleep", "1000").limit(Duration.ofMillis(200)).run();
        machine.want(task);
        TaskReport.Ended end = machine.awaitEnd(task);
        assertThat(end.getHow()).isEqualTo(How.TIMEOUT);
        assertThat(end.getRanMillis()).isGreaterThanOrEqualTo(200);
    }

    @Test
    void anOrderOfAnEarlierSessionStopsButStartsNothing() {
        Orders prepared = script("echo ran").job(2);
        TaskOrder runs = command("sleep", "1000").run();
        machine.want(runs, prepared.prepare());
        machine.await(runs, TaskReport::hasRunning);
        machine.await(prepared.prepare(), TaskReport::hasPrepared);
        TaskOrder fresh = script("echo ran").job(3).run();
        machine.host().restrain(Machine.NODE, List.of(prepared.run(), fresh));
        eventually(
                "the unwanted task ended",
                () -> machine.report(runs).hasEnded(),
                () -> machine.report(runs));
        assertThat(machine.report(prepared.run()).hasPrepared()).isTrue();
        assertThat(machine.report(fresh)).isEqualTo(TaskReport.getDefaultInstance());
    }

    @Test
    void repeatedOrdersStartATaskOnlyOnce() {
        TaskOrder task = script("echo ran").run();
        for (int i = 0; i < 20; i++) {
            machine.want(task);
        }
        machine.awaitEnd(task);
        machine.host().acknowledged(task.getTask());
        machine.want(task);
        machine.restartAgent();
        machine.want(task);
        assertThat(machine.host().tasks()).isEmpty();
        assertThat(machine.log(task)).isEqualTo("ran\n");
    }

    @Test
    void aGpuThatIsStillHeldIsWaitedFor() {
        TaskOrder first =
                script("trap '' TERM; echo up; while :; do sleep 0.05; done").gpus(0, 1).run();
        machine.want(first);
        eventually("the first is up", () -> machine.log(first).equals("up\n"));
        TaskOrder second = script("echo second").job(2).gpus(1, 2).run();
        TaskOrder stopped =
                first.toBuilder().setStop(TaskOrder.Stop.newBuilder().setGraceMillis(300)).build();
        machine.want(stopped, second);
        assertThat(machine.report(second)).isEqualTo(TaskReport.getDefaultInstance());
        machine.awaitEnd(second);
        assertThat(machine.report(first).hasEnded()).isTrue();
    }

    @Test
    void noTaskStartsWithoutALease() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        try (Machine fenced = new Machine(elsewhere)) {
            fenced.want();
            assertThat(fenced.leaseFile().toFile().delete()).isTrue();
            fenced.restartAgent();
            TaskOrder task = script("echo ran").run();
            fenced.want(task);
            assertThat(fenced.host().tasks()).isEmpty();
        }
    }
}
