package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;

/// Where the journal is kept.
///
/// Nobody has to name the driver: whoever says where a PostgreSQL server is wants PostgreSQL, and
/// whoever says nothing gets a file beside the other data.
public record DatabaseSection(
        boolean postgres,
        Path folder,
        String host,
        int port,
        String user,
        String password,
        String database,
        String sslmode,
        int maxOpenConnections,
        long snapshotEvents) {

    static final Key<String> DRIVER =
            Key.oneOf(
                    "database.driver",
                    "sqlite",
                    List.of("sqlite", "postgres", "postgresql"),
                    "Where the journal is kept: sqlite (files) or postgres.");
    static final Key<String> PATH =
            Key.text(
                    "database.path",
                    "",
                    "The folder of the SQLite files; the data directory when empty.");
    static final Key<String> HOST =
            Key.text("database.host", "localhost", "The machine of the PostgreSQL server.");
    static final Key<Long> PORT = Key.port("database.port", 5432, "The port it listens on.");
    static final Key<String> USER =
            Key.text("database.user", "postgres", "Whom to log in to PostgreSQL as.");
    static final Key<String> PASSWORD =
            Key.text("database.password", "postgres", "The password for that.").hidden();
    static final Key<String> DATABASE =
            Key.text("database.database", "gpu_scheduler", "The database's name in PostgreSQL.");
    static final Key<String> SSLMODE =
            Key.oneOf(
                    "database.sslmode",
                    "disable",
                    List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
                    "How far the connection to PostgreSQL is secured.");
    static final Key<Long> MAX_CONNECTIONS =
            Key.count(
                    "database.max_open_conns",
                    25,
                    1,
                    1000,
                    "connections",
                    "The most connections opened to PostgreSQL at once.");
    static final Key<Long> SNAPSHOT_EVENTS =
            Key.count(
                    "database.snapshot_events",
                    500_000,
                    1000,
                    1_000_000_000,
                    "events",
                    "How many events are journaled between two snapshots.");
    static final List<Key<?>> KEYS =
            List.of(
                    DRIVER,
                    PATH,
                    HOST,
                    PORT,
                    USER,
                    PASSWORD,
                    DATABASE,
                    SSLMODE,
                    MAX_CONNECTIONS,
                    SNAPSHOT_EVENTS);

    static DatabaseSection from(Values values, Path dataDir) {
        String path = values.of(PATH);
        return new DatabaseSection(
                wantsPostgres(values),
                path.isEmpty() ? dataDir : Path.of(path),
                values.of(HOST),
                values.number(PORT),
                values.of(USER),
                values.of(PASSWORD),
                values.of(DATABASE),
                values.of(SSLMODE),
                values.number(MAX_CONNECTIONS),
                values.of(SNAPSHOT_EVENTS));
    }

    private static boolean wantsPostgres(Values values) {
        if (values.has(DRIVER)) {
            return values.of(DRIVER).startsWith("postgres");
        }
        return values.has(HOST)
                || values.has(PORT)
                || values.has(USER)
                || values.has(PASSWORD)
                || values.has(DATABASE);
    }
}
