package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// helm and kubectl, which `.ci/kube-tools` fetches. Without them a test is skipped on a
/// developer's machine, and fails in continuous integration.
public final class KubeTools {
    /// @param code the exit code
    public record Ended(int code, String out, String err) {
        public Ended succeeded() {
            assertThat(code).as(err + out).isZero();
            return this;
        }
    }

    private final Path directory;

    private KubeTools(Path directory) {
        this.directory = directory;
    }

    public static KubeTools found() {
        Path directory = directory();
        boolean there =
                Files.isExecutable(directory.resolve("helm"))
                        && Files.isExecutable(directory.resolve("kubectl"));
        if (System.getenv("CI") != null) {
            assertThat(there)
                    .as("helm and kubectl in %s; fetch them: .ci/kube-tools", directory)
                    .isTrue();
        }
        assumeTrue(there, "no helm and kubectl in " + directory + "; fetch them: .ci/kube-tools");
        return new KubeTools(directory);
    }

    private static Path directory() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache == null || cache.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cache);
        return base.resolve("gpu-scheduler/kube-tools-35");
    }

    /// Runs `helm` or `kubectl`.
    ///
    /// @param home for what the tool keeps; not the user's own
    public Ended run(Path home, String tool, List<String> arguments) {
        return run(home, Map.of(), tool, arguments);
    }

    public Ended run(
            Path home, Map<String, String> environment, String tool, List<String> arguments) {
        var command = new ArrayList<>(List.of(directory.resolve(tool).toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HELM_"));
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CACHE_HOME", home.resolve("cache").toString());
        builder.environment().remove("KUBECONFIG");
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            var err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
            String out = text(process.getInputStream());
            return new Ended(process.waitFor(), out, Objects.requireNonNull(err.get()));
        } catch (IOException | ExecutionException e) {
            throw new AssertionError(command + " did not run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String text(java.io.InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
