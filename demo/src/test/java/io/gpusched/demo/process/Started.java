package io.gpusched.demo.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A process that a test started by a launcher in `bin`, from the built artifacts.
public final class Started implements AutoCloseable {
    public static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern READY =
            Pattern.compile("ready http=(\\S+) grpc=(\\S+) metrics=(\\S+) page=(\\S+/ui/)");
    private static final Pattern LISTENING =
            Pattern.compile("gateway listening on (\\S+) id=\\S+ scheduler=\\S+");

    private final Process process;
    private final Path errors;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final CompletableFuture<List<String>> output = new CompletableFuture<>();

    private Started(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Thread.ofVirtual().start(this::readOutput);
    }

    /// Starts `bin/program` with these arguments; its standard error goes to a file.
    public static Started program(
            String program, List<String> arguments, Map<String, String> environment, Path errors) {
        var command = new ArrayList<String>();
        command.add(ROOT.resolve("bin").resolve(program).toString());
        command.addAll(arguments);
        var builder =
                new ProcessBuilder(command)
                        .directory(ROOT.toFile())
                        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("GPU_"));
        builder.environment().put("GPU_SCHEDULER_BUILD", "never");
        builder.environment().putAll(environment);
        try {
            return new Started(builder.start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readOutput() {
        var all = new ArrayList<String>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.add(line);
                if (line.startsWith("ready ") || line.startsWith("gateway listening ")) {
                    ready.complete(line);
                }
            }
            ready.completeExceptionally(new IllegalStateException("it ended before it was ready"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        } finally {
            output.complete(List.copyOf(all));
        }
    }

    /// Waits until the process has ended; returns the lines of its standard output.
    List<String> output() {
        awaitEnd();
        return output.join();
    }

    /// Waits until the scheduler prints that it is ready; returns the addresses of REST, gRPC,
    /// metrics and the web page.
    public List<String> awaitReady() {
        Matcher line = awaitLine(READY);
        return List.of(line.group(1), line.group(2), line.group(3), line.group(4));
    }

    /// Waits until the gateway prints that it serves; returns its address.
    String awaitListening() {
        return awaitLine(LISTENING).group(1);
    }

    private Matcher awaitLine(Pattern expected) {
        try {
            String said = ready.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            Matcher line = expected.matcher(said);
            if (!line.matches()) {
                throw new AssertionError("an odd ready line: " + said);
            }
            return line;
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("not ready: " + e.getMessage() + "\n" + errors(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// Whether it has printed that it is ready.
    boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally();
    }

    String errors() {
        try {
            return Files.exists(errors) ? Files.readString(errors) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /// Kills the process without warning, like a power failure.
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /// Sends SIGTERM, waits until the process has ended, and returns its exit code.
    int stop() {
        close();
        return process.exitValue();
    }

    /// Sends SIGTERM and waits until the process has ended.
    @Override
    public void close() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("it does not end\n" + errors());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void soon(String what, BooleanSupplier holds) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
