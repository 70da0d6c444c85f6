package io.gpusched.gateway.binding;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A real server in a process and a temporary directory of its own, on a free port of the loopback
/// interface.
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final Path folder;
    private final Thread atExit = new Thread(this::end);

    private ServerProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /// Continues if the program is installed. With `CI` set a missing one fails the test, because a
    /// skipped test would look like a passed one.
    static void need(Path program, String debianPackage) {
        if (Files.isExecutable(program)) {
            return;
        }
        String missing = "needs %s: install package %s".formatted(program, debianPackage);
        if (System.getenv().getOrDefault("CI", "").isEmpty()) {
            abort(missing);
        } else {
            fail(missing);
        }
    }

    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path folder(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts it and waits until it accepts connections.
    static ServerProcess start(
            Path folder, int port, Map<String, String> environment, List<String> command) {
        Path log = folder.resolve("log");
        var builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            var server = new ServerProcess(builder.start(), folder);
            while (!accepts(port)) {
                if (server.process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw new AssertionError("the server has ended: " + Files.readString(log));
                }
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static boolean accepts(int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        end();
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // A child that still wrote leaves a temporary file behind.
            System.err.println("could not delete " + folder + ": " + e.getMessage());
        }
    }
}
