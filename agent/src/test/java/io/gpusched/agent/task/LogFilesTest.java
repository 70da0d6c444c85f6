package io.gpusched.agent.task;

import static io.gpusched.agent.task.Orders.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// Output: offsets, caps, retention.
final class LogFilesTest {
    @TempDir Path directory;

    @Test
    void offsetsCountEverythingAlthoughOldFilesAreDropped() throws IOException {
        LogLimits small = new LogLimits(100_000, 3, Duration.ofDays(1), 100, 1 << 30);
        try (Machine machine = new Machine(directory, small)) {
            TaskOrder task = script("seq 1 1500000").run();
            machine.want(task);
            machine.awaitEnd(task);
            long total = 0;
            for (int i = 1; i <= 1_500_000; i++) {
                total += Integer.toString(i).length() + 1;
            }
            LogChunk tail = machine.chunk(task, -8);
            assertThat(tail.getContent().toStringUtf8()).isEqualTo("1500000\n");
            assertThat(tail.getOffset()).isEqualTo(total - 8);
            assertThat(tail.getComplete()).isTrue();
            LogChunk head = machine.chunk(task, 0);
            assertThat(head.getOffset()).isPositive();
            assertThat(bytesOnDisk(machine.directoryOf(task))).isLessThan(4 << 20);
        }
    }

    @Test
    void piecesFollowEachOtherAcrossFiles() throws IOException {
        Files.writeString(directory.resolve("log.0"), "0123");
        Files.writeString(directory.resolve("log.4"), "4567");
        Files.writeString(directory.resolve("log.8"), "89");
        Files.writeString(directory.resolve("log.txt"), "a file of the task's own");
        LogFiles log = new LogFiles(directory);
        assertThat(log.read(2, 5, true).getContent().toStringUtf8()).isEqualTo("23456");
        assertThat(log.read(2, 5, true).getComplete()).isFalse();
        assertThat(log.read(7, 100, true).getContent().toStringUtf8()).isEqualTo("789");
        assertThat(log.read(7, 100, true).getComplete()).isTrue();
        assertThat(log.read(7, 100, false).getComplete()).isFalse();
        assertThat(log.read(-3, 100, false).getOffset()).isEqualTo(7);
        assertThat(log.read(99, 100, true).getOffset()).isEqualTo(10);
    }

    @Test
    void outputIsThereWhileTheTaskStillRuns() {
        try (Machine machine = new Machine(directory)) {
            TaskOrder task = script("echo first; exec sleep 1000").run();
            machine.want(task);
            machine.await(task, report -> machine.log(task).equals("first\n"));
            assertThat(machine.chunk(task, 0).getComplete()).isFalse();
        }
    }

    @Test
    void onlyAcknowledgedUnassignedTasksAreDropped() throws IOException {
        LogLimits brief = LogLimits.DEFAULT.withRetention(Duration.ZERO).withTotalBytes(0);
        try (Machine machine = new Machine(directory, brief)) {
            TaskOrder task = script("echo x").run();
            machine.want(task);
            machine.await(task, TaskReport::hasEnded);
            machine.host().tidy();
            assertThat(machine.log(task)).isEqualTo("x\n");
            machine.host().acknowledged(task.getTask());
            machine.host().tidy();
            assertThat(machine.log(task)).isEqualTo("x\n");
            machine.want();
            machine.host().tidy();
            assertThat(machine.chunk(task, 0).getProblem()).contains("no log");
            assertThat(machine.directoryOf(task)).doesNotExist();
        }
    }

    private static long bytesOnDisk(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log."))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
