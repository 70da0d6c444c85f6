package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.util.ArrayList;
import java.util.List;

/// A comparison that is killed midway keeps what it found out, and the next one goes on there.
final class KilledTest {
    @TempDir Path folder;

    private List<String> words() {
        return List.of(
                "compare",
                "--scenario",
                "../scenarios/busy-day.yaml",
                "--policy",
                "fifo,sjf",
                "--seeds",
                "1..15",
                "--jobs",
                "1",
                "--out",
                folder.resolve("out").toString());
    }

    @Test
    @Timeout(120)
    void whatWasFoundOutIsThereWhenTheNextOneBegins() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("out/runs"));
        Path log = folder.resolve("log");
        Process first = start(log);
        awaitAnswer(runs);
        first.destroyForcibly().waitFor();
        assertThat(folder.resolve("out/report.html")).as(Files.readString(log)).doesNotExist();

        Ran second = Ran.lab(words().toArray(String[]::new));
        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.err()).containsPattern("[1-9]\\d* of 30 runs were finished before");
        assertThat(Files.readString(folder.resolve("out/runs.csv")).lines()).hasSize(1 + 30);
    }

    private Process start(Path log) throws IOException {
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                classes,
                                Main.class.getName()));
        command.addAll(words());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /// Waits until the answer of one run is there as a whole.
    private static void awaitAnswer(Path runs) throws IOException, InterruptedException {
        try (var watcher = runs.getFileSystem().newWatchService()) {
            runs.register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
            while (!anyAnswer(runs)) {
                WatchKey key = watcher.take();
                key.pollEvents();
                key.reset();
            }
        }
    }

    private static boolean anyAnswer(Path runs) throws IOException {
        try (var files = Files.list(runs)) {
            return files.anyMatch(file -> file.toString().endsWith(".json"));
        }
    }
}
