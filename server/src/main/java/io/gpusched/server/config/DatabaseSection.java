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
                    "The folder of the SQLite files; the data directory when empty.");
    static final Setting<String> HOST =
            Setting.text("database.host", "localhost", "The machine of the PostgreSQL server.");
    static final Setting<Long> PORT =
            Setting.port("database.port", 5432, "The port it listens on.");
    static final Setting<String> USER =
            Setting.text("database.user", "postgres", "Whom to log in to PostgreSQL as.");
    static final Setting<String> PASSWORD =
            Setting.text("database.password", "postgres", "The password for that.").hidden();
    static final Setting<String> DATABASE =
            Setting.text(
                    "database.database", "gpu_scheduler", "The database's name in PostgreSQL.");
    static final Setting<String> SSLMODE =
            Setting.oneOf(
                    "database.sslmode",
                    "disable",
                    List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
                    "How far the connection to PostgreSQL is secured.");
    static final Setting<Long> MAX_CONNECTIONS =
            Setting.count(
                    "database.max_open_conns",
                    25,
                    1,
                    1000,
                    "connections",
                    "The most connections opened to PostgreSQL at once.");
    static final Setting<Long> SNAPSHOT_EVENTS =
            Setting.count(
                    "database.snapshot_events",
                    500_000,
                    1000,
                    1_000_000_000,
                    "events",
                    "How many events are journaled between two snapshots.");
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
