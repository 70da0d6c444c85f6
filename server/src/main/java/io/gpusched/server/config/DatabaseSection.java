package io.gpusched.server.config;

import java.nio.file.Path;
import java.util.List;

/// The database that holds the journal.
///
/// The driver need not be named: if a PostgreSQL server is configured, PostgreSQL is used;
/// otherwise SQLite files in the data directory.
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

    static final Setting<String> DRIVER =
            Setting.oneOf(
                    "database.driver",
                    "sqlite",
                    List.of("sqlite", "postgres", "postgresql"),
                    "Where the journal is kept: sqlite (files) or postgres.");
    static final Setting<String> PATH =
            Setting.text(
                    "database.path",
                    "",
                    "The directory of the SQLite files; the data directory when empty.");
    static final Setting<String> HOST =
            Setting.text("database.host", "localhost", "Host name of the PostgreSQL server.");
    static final Setting<Long> PORT =
            Setting.port("database.port", 5432, "Port of the PostgreSQL server.");
    static final Setting<String> USER =
            Setting.text("database.user", "postgres", "User name for PostgreSQL.");
    static final Setting<String> PASSWORD =
            Setting.text("database.password", "postgres", "Password of that user.").hidden();
    static final Setting<String> DATABASE =
            Setting.text(
                    "database.database", "gpu_scheduler", "Name of the database in PostgreSQL.");
    static final Setting<String> SSLMODE =
            Setting.oneOf(
                    "database.sslmode",
                    "disable",
                    List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
                    "How the connection to PostgreSQL is encrypted and verified.");
    static final Setting<Long> MAX_CONNECTIONS =
            Setting.count(
                    "database.max_open_conns",
                    25,
                    1,
                    1000,
                    "connections",
                    "Largest number of open connections to PostgreSQL.");
    static final Setting<Long> SNAPSHOT_EVENTS =
            Setting.count(
                    "database.snapshot_events",
                    500_000,
                    1000,
                    1_000_000_000,
                    "events",
                    "Number of journaled events between two snapshots.");
    static final List<Setting<?>> KEYS =
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

    static DatabaseSection from(SettingValues settingValues, Path dataDir) {
        String path = settingValues.of(PATH);
        return new DatabaseSection(
                wantsPostgres(settingValues),
                path.isEmpty() ? dataDir : Path.of(path),
                settingValues.of(HOST),
                settingValues.number(PORT),
                settingValues.of(USER),
                settingValues.of(PASSWORD),
                settingValues.of(DATABASE),
                settingValues.of(SSLMODE),
                settingValues.number(MAX_CONNECTIONS),
                settingValues.of(SNAPSHOT_EVENTS));
    }

    private static boolean wantsPostgres(SettingValues settingValues) {
        if (settingValues.has(DRIVER)) {
            return settingValues.of(DRIVER).startsWith("postgres");
        }
        return settingValues.has(HOST)
                || settingValues.has(PORT)
                || settingValues.has(USER)
                || settingValues.has(PASSWORD)
                || settingValues.has(DATABASE);
    }
}
