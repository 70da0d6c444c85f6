package io.gpusched.server;

import io.gpusched.server.auth.PemFiles;
import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.store.Backup;
import io.gpusched.store.BackupFolder;
import io.gpusched.store.Database;
import io.gpusched.store.EarlierJournal;
import io.gpusched.store.JournalFile;
import io.gpusched.store.JournalReader;
import io.gpusched.store.StoreException;

import org.slf4j.LoggerFactory;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Runs the scheduler process: reads the command line, starts the server or does a one-time command
/// such as a backup, and stops the server on a signal.
public final class Launch {
    /// The exit code for an invalid command line or configuration.
    public static final int WRONG_USE = 2;

    private static final int NO_START = 1;
    private static final int DIED = 70;

    /// Options that are commands of their own. If two were given, one would silently not run, so
    /// that is refused.
    private static final List<String> COMMANDS =
            List.of("--demo", "--check-config", "--backup", "--export", "--restore");

    private Launch() {}

    /// Runs the command that `words` and `environment` ask for. Without a one-time command it
    /// starts a server, and with it what `beside` makes; the process then runs until a signal ends
    /// it. `afterwards` runs last. Returns the exit code: 0 if the command succeeded or a server
    /// was started.
    public static int run(
            List<String> words,
            Map<String, String> environment,
            Function<Server, AutoCloseable> beside,
            Runnable afterwards) {
        String failure = "the scheduler cannot start";
        try {
            Arguments arguments = Arguments.of(words.toArray(String[]::new));
            refuseSeveral(words);
            failure = failure(arguments, failure);
            if (arguments.help()) {
                System.out.print(Arguments.USAGE);
            } else {
                Config config = ConfigReader.read(arguments, environment);
                if (!runCommand(arguments, config)) {
                    refuseLostJournal(arguments, config);
                    serve(config, beside, afterwards);
                    return 0;
                }
            }
            afterwards.run();
            return 0;
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            afterwards.run();
            return WRONG_USE;
        } catch (StoreException | UncheckedIOException | IllegalArgumentException e) {
            System.err.println(failure + ": " + e.getMessage());
            afterwards.run();
            return NO_START;
        }
    }

    /// Throws a [ConfigException] if `words` contain more than one command. Public for the demo,
    /// whose own option never reaches [#run].
    public static void refuseSeveral(List<String> words) {
        Set<String> names =
                words.stream().map(word -> word.split("=", 2)[0]).collect(Collectors.toSet());
        List<String> found = COMMANDS.stream().filter(names::contains).toList();
        if (found.size() > 1) {
            throw new ConfigException(
                    "expected at most one of "
                            + String.join(", ", COMMANDS)
                            + ", found "
                            + String.join(" and ", found)
                            + "; nothing was done: run them one after the other");
        }
    }

    /// Refuses to begin an empty journal where snapshots or tables show that there was another one.
    private static void refuseLostJournal(Arguments arguments, Config config) {
        var earlier =
                new EarlierJournal(
                        Stores.database(config.database()),
                        Stores.snapshotFolder(config.dataDir()));
        List<String> traces = earlier.traces();
        if (traces.isEmpty()) {
            return;
        }
        if (!arguments.fresh()) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "expected the journal that belongs to the %s, found none in %s. Is it another directory or database? Put the journal back or restore a backup (--restore FILE); to begin an empty one and forget all jobs, add --new"
                            .formatted(
                                    String.join(" and the ", traces),
                                    Stores.database(config.database())));
        }
        earlier.setSnapshotsAside();
    }

    private static String failure(Arguments arguments, String otherwise) {
        if (arguments.backup() != null) {
            return "the backup failed";
        }
        if (arguments.export() != null) {
            return "the export failed";
        }
        return arguments.restore() != null ? "the restore failed" : otherwise;
    }

    /// Runs a command that needs no running scheduler; false if none was given.
    private static boolean runCommand(Arguments arguments, Config config) {
        if (arguments.checkOnly()) {
            var engineConfig = EngineConfig.load(config);
            engineConfig.check();
            checkCertificate(config.api());
            System.out.print(config.written());
            config.remarks().forEach(System.err::println);
            engineConfig.plugins().remarks().forEach(System.err::println);
            return true;
        }
        if (arguments.backup() == null
                && arguments.export() == null
                && arguments.restore() == null) {
            return false;
        }
        copy(arguments, config);
        return true;
    }

    /// Checks both files before any port is opened, so that one message covers both.
    private static void checkCertificate(ApiSection api) {
        if (api.tls()) {
            PemFiles.context(api.certificate(), api.privateKey());
        }
    }

    private static void copy(Arguments arguments, Config config) {
        Database database = Stores.database(config.database());
        if (arguments.backup() != null) {
            backUp(database, arguments.backup(), arguments.keep());
        } else if (arguments.export() != null) {
            try (var reader = JournalReader.open(database)) {
                long base = reader.base();
                long last = JournalFile.write(reader, base, arguments.export());
                System.out.println(
                        "wrote the journal %sup to batch %d to %s"
                                .formatted(
                                        base == 0 ? "" : "after batch " + base + " ",
                                        last,
                                        arguments.export()));
            }
        } else if (arguments.restore() != null) {
            long last = Backup.restore(arguments.restore(), database);
            System.out.println("restored the journal up to batch " + last);
        }
    }

    /// Writes a backup to the file `to`; if `to` is a directory, to a new file in it.
    private static void backUp(Database database, Path to, int keep) {
        if (keep > 0 && !Files.isDirectory(to)) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "--keep: expected a directory after --backup, found %s; create the directory"
                            .formatted(to));
        }
        var folder = new BackupFolder(to);
        Path file = Files.isDirectory(to) ? folder.file(Instant.now()) : to;
        long last = Backup.make(database, file);
        System.out.println("copied the journal up to batch " + last + " to " + file);
        if (keep > 0) {
            folder.keep(keep).forEach(old -> System.out.println("deleted " + old));
        }
    }

    private static void serve(
            Config config, Function<Server, AutoCloseable> beside, Runnable afterwards) {
        Logging.configure(config.log());
        checkCertificate(config.api());
        Server server = Server.start(config, Launch::die);
        AutoCloseable other = beside.apply(server);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("shutdown")
                                .unstarted(() -> stop(other, server, afterwards)));
        System.out.println(server.readyLine());
        System.out.flush();
    }

    private static void stop(AutoCloseable other, Server server, Runnable afterwards) {
        try {
            other.close();
        } catch (Exception e) {
            LoggerFactory.getLogger(Launch.class)
                    .warn("the part beside the server did not close cleanly", e);
        } finally {
            server.close();
            afterwards.run();
        }
    }

    /// Ends the process at once: a scheduler that cannot decide must not look alive. Everything
    /// that was acknowledged is in the journal.
    private static void die(Throwable why) {
        Thread.ofPlatform().name("exit").start(() -> Runtime.getRuntime().halt(DIED));
    }
}
