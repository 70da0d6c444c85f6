package io.gpusched.store;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server from Debian's package `postgresql-15`, in a temporary directory on a free port.
///
/// PostgreSQL refuses to run as root. Where the tests do, the server is started in a user namespace
/// of its own (`unshare --user`), in which it is not root and still owns its files.
final class DebianPostgres {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");

    private DebianPostgres() {}

    /// Continues if the package is installed. Where everything is checked (`CI` is set), a suite
    /// that does not run must not pass for one that succeeded.
    static void need() {
        if (Files.isExecutable(PROGRAMS.resolve("postgres"))) {
            return;
        }
        String missing =
                "the contract of the store on the oldest PostgreSQL needs %s: install postgresql-15"
                        .formatted(PROGRAMS);
        if (System.getenv().getOrDefault("CI", "").isEmpty()) {
            abort(missing);
        } else {
            fail(missing);
        }
    }

    static Database.Postgres start() {
        try {
            Path folder = Files.createTempDirectory("postgres15");
            Path files = folder.resolve("files");
            Path log = folder.resolve("log");
            run(log, "initdb", "-D", files, "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N");
            int port = freePort();
            Process server =
                    command(
                                    log,
                                    "postgres",
                                    "-D",
                                    files,
                                    "-p",
                                    port,
                                    "-k",
                                    folder,
                                    "-h",
                                    "localhost")
                            .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            var database =
                    Database.Postgres.at("localhost", port, "postgres", "postgres", "postgres");
            awaitReady(database, server, log);
            return database;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(Path log, Object... line) throws IOException, InterruptedException {
        int code = command(log, line).start().waitFor();
        if (code != 0) {
            throw new AssertionError(
                    line[0] + " ended with " + code + ": " + Files.readString(log));
        }
    }

    private static ProcessBuilder command(Path log, Object... line) {
        var words = new ArrayList<String>();
        if (System.getProperty("user.name").equals("root")) {
            words.addAll(List.of("unshare", "--user"));
        }
        words.add(PROGRAMS.resolve(line[0].toString()).toString());
        for (Object word : List.of(line).subList(1, line.length)) {
            words.add(word.toString());
        }
        var command = new ProcessBuilder(words).redirectErrorStream(true);
        command.environment().put("LC_ALL", "C");
        return command.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitReady(Database.Postgres database, Process server, Path log)
            throws IOException, InterruptedException {
        do {
            try {
                DriverManager.getConnection(database.url(), database.user(), database.password())
                        .close();
                return;
            } catch (SQLException e) {
                // Not yet.
            }
        } while (!server.waitFor(50, TimeUnit.MILLISECONDS));
        throw new AssertionError("the server has ended: " + Files.readString(log));
    }

    /// Ends the server at once; its own children notice.
    private static void stop(Process server, Path folder) {
        server.destroyForcibly().onExit().join();
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
