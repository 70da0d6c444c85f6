package io.gpusched.agent.task;

import static io.gpusched.agent.Eventually.eventually;
import static io.gpusched.agent.task.Orders.command;
import static io.gpusched.agent.task.Orders.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Jobs that damage the agent's files, by accident or not: each hurts itself alone.
final class DamageTest {
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
    void aJobThatWritesBesideItsWorkingDirectoryHitsNoFileOfTheAgent() {
        TaskOrder task =
                script("for f in started exit shim order stop; do echo x > ../$f; done; exit 3")
                        .run();
        machine.want(task);
        assertThat(machine.awaitEnd(task).getExitCode()).isEqualTo(3);
        machine.restartAgent();
        assertThat(machine.report(task).getEnded().getExitCode()).isEqualTo(3);
    }

    /// Each line is run by the job in the directory where the agent keeps its records of it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo x > started",
                "echo 1 > started",
                "rm started; mkfifo started",
                "rm started; mkdir -p started/x",
                "rm started; ln -s /dev/zero started",
                "head -c 1000000 /dev/zero > started",
                "chmod 000 started",
                "echo x > shim",
                "echo x > order",
                "rm order",
                "rm node",
                "echo x > ended",
                "echo x > exit",
                "echo a b c > exit",
                "rm -f exit; mkfifo exit",
                "mkfifo refused",
                "chmod 000 .",
                "rm -rf ./*",
                "d=$PWD; cd /; rm -rf $d",
                "d=$PWD; cd /; rm -rf $d; echo x > $d"
            })
    void aDamagedFolderIsSetAsideAndTheTaskReportedAsEnded(String damage) throws Exception {
        TaskOrder healthy = command("sleep", "1000").job(2).run();
        TaskOrder task = damaging(damage);
        machine.want(task, healthy);
        machine.await(healthy, TaskReport::hasRunning);
        // The agent may see the damage and end the task before the job says that it is done.
        eventually(
                "the job did it",
                () -> Files.exists(directory.resolve("done")) || machine.report(task).hasEnded());
        machine.restartAgent();
        machine.want(healthy, stopOf(task));
        TaskReport.Ended end = machine.awaitEnd(task);
        assertThat(end.getHow()).isIn(How.LOST, How.STOPPED);
        // While it starts, a task may have a second process for a moment.
        eventually(
                "only the healthy task has a process",
                () -> machine.processes().size() == 1,
                machine::processes);
        assertThat(machine.report(healthy).hasRunning()).isTrue();
        machine.restartAgent();
        assertThat(machine.report(task).getEnded()).isEqualTo(end);
        machine.host().acknowledged(task.getTask());
        machine.want(healthy, task);
        machine.restartAgent();
        machine.want(healthy, task);
        assertThat(machine.report(task)).isEqualTo(TaskReport.getDefaultInstance());
        assertThat(machine.report(healthy).hasRunning()).isTrue();
    }

    @Test
    void damageIsReportedForWhatItIsAndTheOutputIsKept() throws Exception {
        TaskOrder task = damaging("echo x > started");
        machine.want(task);
        eventually("the job did it", () -> Files.exists(directory.resolve("done")));
        machine.restartAgent();
        machine.want(task);
        TaskReport.Ended end = machine.awaitEnd(task);
        assertThat(end.getHow()).isEqualTo(How.LOST);
        assertThat(end.getDetail()).contains("damaged").contains("started");
        assertThat(machine.log(task)).isEqualTo("up\n");
        try (Stream<Path> aside = Files.list(directory.resolve("damaged"))) {
            assertThat(aside.map(path -> path.getFileName().toString()))
                    .singleElement()
                    .asString()
                    .startsWith("1.1.1.0.");
        }
    }

    @Test
    void anEndThatIsNotTrueIsNotBelieved() throws Exception {
        TaskOrder task = damaging("echo exited 0 1 > exit");
        machine.want(task);
        machine.awaitEnd(task);
        assertThat(machine.processes()).isEmpty();
        TaskOrder next = script("echo next").job(2).run();
        machine.want(next);
        assertThat(machine.awaitEnd(next).getExitCode()).isZero();
    }

    @Test
    void aFolderThatIsNoTaskDoesNotStopTheAgent() throws Exception {
        Path tasks = directory.resolve("tasks");
        Files.createDirectory(tasks.resolve("junk"));
        Files.writeString(tasks.resolve("1.2.3"), "x");
        Files.createDirectory(tasks.resolve("7.1.1.0"));
        Files.createDirectory(tasks.resolve("8.1.1.0.draft"));
        machine.restartAgent();
        assertThat(machine.host().tasks())
                .singleElement()
                .satisfies(
                        report -> {
                            assertThat(report.getTask().getJob()).isEqualTo(7);
                            assertThat(report.getNodeId()).isEqualTo(Machine.NODE);
                            assertThat(report.getEnded().getHow()).isEqualTo(How.LOST);
                        });
        try (Stream<Path> left = Files.list(tasks)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactly("7.1.1.0");
        }
    }

    @Test
    void aLogThatIsNoFileIsNotWaitedFor() throws Exception {
        TaskOrder task = damaging("rm -f log.0; mkfifo log.0; echo far > log.900");
        machine.want(task);
        eventually("the job did it", () -> Files.exists(directory.resolve("done")));
        assertThat(machine.log(task)).isEqualTo("far\n");
        machine.want(stopOf(task));
        machine.awaitEnd(task);
    }

    @Test
    void treesWithoutPermissionsAndVeryDeepOnesAreTidiedUp() throws Exception {
        LogLimits brief = LogLimits.DEFAULT.withRetention(Duration.ZERO);
        machine.close();
        machine = new Machine(directory, brief);
        TaskOrder locked =
                script(
                                """
                                mkdir -p a/b/c && touch a/b/c/f a/g && chmod 400 a/b/c/f
                                ln -s / root && ln -s nowhere broken && mkfifo pipe
                                chmod 000 a/b/c && chmod 555 a/b && chmod 000 a && chmod 500 .
                                """)
                        .run();
        TaskOrder deep =
                script(
                                """
                                mkdir chain && i=0
                                while [ $i -lt 300 ]; do
                                    mkdir next && mv chain next/ddddddddddddddddddddddd || exit 1
                                    mv next chain
                                    i=$((i + 1))
                                done
                                """)
                        .job(2)
                        .run();
        TaskOrder plain = script("touch x").job(3).run();
        machine.want(locked, deep, plain);
        for (TaskOrder task : List.of(locked, deep, plain)) {
            assertThat(machine.awaitEnd(task).getExitCode()).isZero();
            machine.host().acknowledged(task.getTask());
        }
        machine.want();
        eventually(
                "nothing left of any of them",
                () -> {
                    machine.host().tidy();
                    return isEmpty("tasks") && isEmpty("trash") && isEmpty("work/.trash");
                });
        assertThat(machine.workOf(locked)).doesNotExist();
        assertThat(machine.workOf(deep)).doesNotExist();
    }

    @Test
    void whatAJobLeavesCountsTowardsTheLimit() throws Exception {
        LogLimits small = LogLimits.DEFAULT.withTotalBytes(1 << 20);
        machine.close();
        machine = new Machine(directory, small);
        TaskOrder large = script("echo large; head -c 3000000 /dev/zero > left").run();
        TaskOrder little = script("echo little; echo x > left").job(2).run();
        machine.want(large, little);
        for (TaskOrder task : List.of(large, little)) {
            assertThat(machine.awaitEnd(task).getExitCode()).isZero();
            machine.host().acknowledged(task.getTask());
        }
        assertThat(machine.workOf(large).resolve("left")).exists();
        machine.want();
        eventually(
                "the large one is gone",
                () -> {
                    machine.host().tidy();
                    return !Files.exists(machine.workOf(large))
                            && !Files.exists(machine.directoryOf(large));
                });
        assertThat(machine.workOf(little).resolve("left")).exists();
        assertThat(machine.log(little)).isEqualTo("little\n");
    }

    /// A job that does `damage` in its directory of records, says so, and runs on.
    private TaskOrder damaging(String damage) throws IOException {
        Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString("rwx------")); // As the agent makes it.
        String folder = machine.directoryOf(script("").run()).toString();
        return script(
                        "echo up; cd "
                                + folder
                                + " && { "
                                + damage
                                + "; } ; echo x > "
                                + directory.resolve("done")
                                + "; exec sleep 1000")
                .run();
    }

    private static TaskOrder stopOf(TaskOrder task) {
        return task.toBuilder()
                .setStop(TaskOrder.Stop.newBuilder().setCause("cancelled").setGraceMillis(1000))
                .build();
    }

    private boolean isEmpty(String folder) {
        try (Stream<Path> all = Files.list(directory.resolve(folder))) {
            return all.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
