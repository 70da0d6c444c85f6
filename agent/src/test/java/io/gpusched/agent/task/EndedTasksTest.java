package io.gpusched.agent.task;

import static io.gpusched.agent.Eventually.eventually;
import static io.gpusched.agent.task.Orders.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What is kept of ended tasks, and for how long.
final class EndedTasksTest {
    private static final String MEGABYTE = "#" + "x".repeat(1_000_000) + "\n";

    @TempDir Path directory;

    @Test
    void neitherMemoryNorDiskKeepsThePayloadOfAnEndedTask() throws IOException {
        try (Machine machine = new Machine(directory)) {
            TaskOrder task = script(MEGABYTE + "echo done").env("SECRET", "s3cr3t").run();
            machine.want(task);
            assertThat(machine.awaitEnd(task).getExitCode()).isZero();
            assertThat(names(machine.directoryOf(task)))
                    .containsExactlyInAnyOrder("ended", "log.0");
            machine.host().acknowledged(task.getTask());
            assertThat(names(machine.directoryOf(task))).containsExactlyInAnyOrder("told", "log.0");
            assertThat(machine.workOf(task)).doesNotExist();
            assertThat(machine.log(task)).isEqualTo("done\n");
            machine.restartAgent();
            assertThat(machine.log(task)).isEqualTo("done\n");
            machine.want(task);
            assertThat(machine.host().tasks()).isEmpty();
            assertThat(bytes()).isLessThan(200_000);
        }
    }

    /// 300 MB of payloads pass through; the agent's heap could not hold all of them.
    @Test
    void manyTasksWithLargePayloadsLeaveOnlyTheLimit() throws IOException {
        try (Machine machine = new Machine(directory, LogLimits.DEFAULT.withTasks(20))) {
            for (int job = 1; job <= 300; job++) {
                TaskOrder stop = stopped(job);
                machine.want(stop);
                assertThat(machine.report(stop).getEnded().getHow()).isEqualTo(How.STOPPED);
                machine.host().acknowledged(stop.getTask());
            }
            assertThat(bytes()).isLessThan(10 << 20);
            machine.want();
            machine.host().tidy();
            assertThat(names(directory.resolve("tasks"))).hasSize(20);
            eventually("the trash is emptied", () -> names(directory.resolve("trash")).isEmpty());
            machine.restartAgent();
            assertThat(machine.host().tasks()).isEmpty();
            assertThat(machine.chunk(stopped(300), 0).getProblem()).isEmpty();
            assertThat(machine.chunk(stopped(1), 0).getProblem()).contains("no log");
        }
    }

    @Test
    void unacknowledgedEndsAreKeptWhateverTheLimit() {
        try (Machine machine = new Machine(directory, LogLimits.DEFAULT.withTasks(0))) {
            List<TaskOrder> all = new ArrayList<>();
            for (int job = 1; job <= 5; job++) {
                all.add(stopped(job));
            }
            machine.want(all.toArray(TaskOrder[]::new));
            assertThat(machine.host().tasks()).hasSize(5);
            machine.want();
            machine.host().tidy();
            machine.restartAgent();
            assertThat(machine.host().tasks()).hasSize(5);
            all.forEach(task -> machine.host().acknowledged(task.getTask()));
            machine.host().tidy();
            assertThat(machine.host().tasks()).isEmpty();
            assertThat(names(directory.resolve("tasks"))).isEmpty();
        }
    }

    /// As an earlier version of the agent left them: the whole order, and `work` in the directory.
    @Test
    void foldersOfAnEarlierVersionAreTakenOver() throws IOException {
        try (Machine machine = new Machine(directory)) {
            TaskOrder runs = script(MEGABYTE + "echo up; exec sleep 1000").run();
            machine.want(runs);
            machine.await(runs, report -> machine.log(runs).equals("up\n"));
            Files.write(machine.directoryOf(runs).resolve("order"), runs.toByteArray());
            Files.createDirectory(machine.directoryOf(runs).resolve("work"));
            TaskOrder old = script(MEGABYTE).job(2).run();
            earlier(machine.directoryOf(old), old, "exited 7 1", true);
            TaskOrder untold = script(MEGABYTE).job(3).run();
            earlier(machine.directoryOf(untold), untold, "exited 8 1", false);
            machine.restartAgent();
            machine.want(runs, old, untold);
            assertThat(machine.report(runs).hasRunning()).isTrue();
            assertThat(machine.report(old)).isEqualTo(TaskReport.getDefaultInstance());
            assertThat(machine.report(untold).getEnded().getExitCode()).isEqualTo(8);
            assertThat(machine.log(old)).isEqualTo("kept\n");
            assertThat(names(machine.directoryOf(old)))
                    .containsExactlyInAnyOrder("told", "log.0", "work");
            machine.host().acknowledged(untold.getTask());
            assertThat(names(machine.directoryOf(untold)))
                    .containsExactlyInAnyOrder("told", "log.0", "work");
        }
    }

    private static void earlier(Path folder, TaskOrder order, String exit, boolean acknowledged)
            throws IOException {
        Files.createDirectories(folder.resolve("work"));
        Files.write(folder.resolve("order"), order.toByteArray());
        Files.writeString(folder.resolve("node"), Machine.NODE);
        Files.writeString(folder.resolve("boot"), Uptime.boot());
        Files.writeString(folder.resolve("go"), order.getSpec().getScript());
        Files.writeString(folder.resolve("port"), "4711");
        Files.writeString(folder.resolve("log.0"), "kept\n");
        Files.writeString(folder.resolve("work").resolve("left"), "x");
        Files.writeString(folder.resolve("exit"), exit);
        if (acknowledged) {
            Files.writeString(folder.resolve("acknowledged"), "");
        }
    }

    private static TaskOrder stopped(int job) {
        return script(MEGABYTE).job(job).run().toBuilder()
                .setStop(TaskOrder.Stop.newBuilder().setCause("cancelled"))
                .build();
    }

    private long bytes() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static List<String> names(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
