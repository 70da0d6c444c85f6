package io.gpusched.server.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A scheduler in a process of its own.
final class SchedulerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready http=(\\S+) grpc=\\S+:(\\d+) ");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Path log;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI url;
    private final int grpcPort;

    private SchedulerProcess(Process process, Path log, String url, int grpcPort) {
        this.process = process;
        this.log = log;
        this.url = URI.create(url);
        this.grpcPort = grpcPort;
    }

    /// @param limits shell words before the process starts, such as `ulimit -n 400;`
    /// @param heap such as `128m`
    static SchedulerProcess start(Path folder, String limits, String heap)
            throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        String command =
                "%s exec '%s' -Xmx%s -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
                                .formatted(
                                        limits,
                                        Path.of(System.getProperty("java.home"), "bin", "java"),
                                        heap)
                        + " -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED"
                        + " -cp '%s' io.gpusched.server.Main"
                                .formatted(
                                        System.getProperty(
                                                "surefire.test.class.path",
                                                System.getProperty("java.class.path")))
                        + " --data-dir '%s' --http-port 0 --grpc-port 0 --metrics-port 0"
                                .formatted(folder.resolve("data"));
        Process process =
                new ProcessBuilder("bash", "-c", command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
                        .start();
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Matcher ready = READY.matcher(Files.readString(log));
            if (ready.find()) {
                return new SchedulerProcess(
                        process, log, ready.group(1), Integer.parseInt(ready.group(2)));
            }
            if (process.waitFor(Duration.ofMillis(20)) || System.nanoTime() - until > 0) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("not ready: " + Files.readString(log));
            }
        }
    }

    int httpPort() {
        return url.getPort();
    }

    int grpcPort() {
        return grpcPort;
    }

    HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        try {
            return client.send(
                    HttpRequest.newBuilder(url.resolve(path))
                            .timeout(PATIENCE)
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(method + " " + path + "; the log: " + Files.readString(log), e);
        }
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly().onExit().join();
    }
}
