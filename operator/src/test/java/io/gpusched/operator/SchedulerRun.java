package io.gpusched.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A scheduler in a process of its own, which can be killed and started again at the same address.
final class SchedulerRun implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 90;

    private final Path data;
    private final int rest;
    private final int agents;
    private final HttpClient http = HttpClient.newHttpClient();
    private Process process;

    SchedulerRun(Path data) {
        this.data = data;
        this.rest = freePort();
        this.agents = freePort();
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.process = started();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + rest);
    }

    InetSocketAddress agents() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), agents);
    }

    void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void startAgain() {
        process = started();
    }

    JsonNode get(String path) {
        return send("GET", path, "");
    }

    JsonNode send(String method, String path, String body) {
        try {
            var request =
                    HttpRequest.newBuilder(url().resolve(path))
                            .header("Content-Type", "application/json")
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build();
            return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private Process started() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
        command.addAll(List.of("io.gpusched.server.Main", "--data-dir", data.toString()));
        command.addAll(List.of("--http-port", "" + rest, "--grpc-port", "" + agents));
        command.addAll(List.of("--metrics-port", "0"));
        try {
            Process begun =
                    new ProcessBuilder(command)
                            .redirectError(data.resolveSibling("scheduler.log").toFile())
                            .start();
            var ready = new CompletableFuture<String>();
            Thread.ofVirtual().start(() -> read(begun, ready));
            String _ = ready.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
            return begun;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Process process, CompletableFuture<String> ready) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ready ")) {
                    ready.complete(line);
                }
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
        ready.completeExceptionally(new IOException("the scheduler ended"));
    }

    /// Surefire passes the real class path beside one short jar.
    private static String classPath() {
        return System.getProperty(
                "surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        kill();
    }
}
