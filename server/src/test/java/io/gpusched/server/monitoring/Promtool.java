package io.gpusched.server.monitoring;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Prometheus' own checker of rules and metrics.
public final class Promtool {
    private static final Path PROGRAM = Path.of("/usr/bin/promtool");

    private Promtool() {}

    /// What it printed, and whether it was content.
    public record Outcome(int code, String output) {}

    /// Runs it with `input`. Skips the test if it is not installed. With `CI` set the test fails
    /// instead, because a skipped test would look like a passed one.
    public static Outcome run(Path folder, String input, String... words) {
        need();
        var command =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        command.command().addFirst(PROGRAM.toString());
        try {
            Path log = Files.createTempFile("promtool", ".log");
            Path in = Files.createTempFile("promtool", ".in");
            Files.writeString(in, input);
            Process process =
                    command.redirectInput(in.toFile()).redirectOutput(log.toFile()).start();
            int code = process.waitFor();
            String output = Files.readString(log, StandardCharsets.UTF_8);
            Files.delete(log);
            Files.delete(in);
            return new Outcome(code, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void need() {
        if (Files.isExecutable(PROGRAM)) {
            return;
        }
        String missing = "the rules are checked by promtool: install the package prometheus";
        if (System.getenv().getOrDefault("CI", "").isEmpty()) {
            abort(missing);
        } else {
            fail(missing);
        }
    }
}
