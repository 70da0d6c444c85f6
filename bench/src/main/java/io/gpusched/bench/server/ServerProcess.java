package io.gpusched.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
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

/// A scheduler as `bin/scheduler` starts it, on ports that are free.
final class ServerProcess implements AutoCloseable {
    private static final Duration FAREWELL = Duration.ofSeconds(30);
    private static final int HEAP_READINGS = 10;

    private final Process process;
    private final Path log;
    private final URI uri;
    private final Duration readyAfter;

    private ServerProcess(Process process, Path log, URI uri, Duration readyAfter) {
        this.process = process;
        this.log = log;
        this.uri = uri;
        this.readyAfter = readyAfter;
    }

    /// Starts a scheduler over `data` and waits for its ready line.
    ///
    /// @param settings environment variables
    static ServerProcess start(
            BenchFolder shop, Path data, Map<String, String> settings, Duration patience)
            throws IOException, InterruptedException {
        return start(shop, data, settings, patience, List.of());
    }

    /// The same with further words on the command line.
    static ServerProcess start(
            BenchFolder shop,
            Path data,
            Map<String, String> settings,
            Duration patience,
            List<String> words)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile(shop.folder("logs"), "scheduler-", ".log");
        var builder =
                new ProcessBuilder(
                        new ArrayList<>(
                                List.of(
                                        shop.launcher("scheduler").toString(),
                                        "--http-port=0",
                                        "--grpc-port=0",
                                        "--metrics-port=0",
                                        "--data-dir=" + data)));
        builder.command().addAll(words);
        builder.redirectError(log.toFile());
        Environments.clean(builder.environment()).putAll(settings);
        long begin = System.nanoTime();
        Process process = builder.start();
        shop.keep(() -> end(process));
        var ready = new CompletableFuture<Ready>();
        Thread.ofVirtual().start(() -> read(process, ready));
        try {
            Ready found = ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return new ServerProcess(
                    process, log, found.uri, Duration.ofNanos(found.nanos - begin));
        } catch (ExecutionException e) {
            throw new IOException("the scheduler did not start: " + end(log), e);
        } catch (TimeoutException e) {
            process.destroyForcibly().waitFor();
            throw new IOException(
                    "the scheduler was not ready within %s s: %s"
                            .formatted(patience.toSeconds(), end(log)),
                    e);
        }
    }

    private record Ready(URI uri, long nanos) {}

    /// Reads standard output to its end, so that the scheduler never waits for a reader.
    private static void read(Process process, CompletableFuture<Ready> ready) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ready ")) {
                    ready.complete(new Ready(address(line), System.nanoTime()));
                }
            }
            ready.completeExceptionally(new IOException("it ended"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    private static URI address(String line) throws IOException {
        for (String word : line.split(" ")) {
            if (word.startsWith("http=")) {
                return URI.create(word.substring("http=".length()));
            }
        }
        throw new IOException("expected http=URL in the ready line, found: " + line);
    }

    /// From the start of the launcher to the ready line.
    Duration readyAfter() {
        return readyAfter;
    }

    URI uri() {
        return uri;
    }

    SchedulerApi schedulerApi() {
        return new SchedulerApi(uri);
    }

    /// Processor time used so far.
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// What is left of the heap after a full collection, in MiB: the lowest of several readings.
    /// What the process allocates between the collection and the reading counts too, and work in
    /// the background, such as filling the tables, can be more than a hundred MiB of it.
    double liveHeapMiB() throws IOException, InterruptedException {
        double lowest = Double.MAX_VALUE;
        for (int i = 0; i < HEAP_READINGS; i++) {
            jcmd("GC.run");
            lowest = Math.min(lowest, HeapReport.usedMiB(jcmd("GC.heap_info")));
        }
        return lowest;
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        var builder =
                new ProcessBuilder(
                        List.of(jcmd.toString(), String.valueOf(process.pid()), command));
        Process asked = builder.redirectErrorStream(true).start();
        String said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (asked.waitFor() != 0) {
            throw new IOException("jcmd " + command + " failed: " + said);
        }
        return said;
    }

    /// The last lines of its log, for messages.
    String endOfLog() throws IOException {
        return end(log);
    }

    private static String end(Path log) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(log));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    }

    /// Asks it to stop, and makes it when it does not.
    @Override
    public void close() {
        end(process);
    }

    private static void end(Process process) {
        try {
            process.destroy();
            if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
