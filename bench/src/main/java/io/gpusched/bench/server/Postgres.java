package io.gpusched.bench.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A real PostgreSQL of our own that loses nothing when the power fails.
final class Postgres implements AutoCloseable {
    /// The library turns these off, because tests do not mind losing their database.
    private static final List<String> DURABLE =
            List.of("fsync", "synchronous_commit", "full_page_writes");

    private final EmbeddedPostgres server;

    private Postgres(EmbeddedPostgres server) {
        this.server = server;
    }

    static Postgres start(BenchFolder shop) throws IOException, SQLException {
        Path folder = shop.folder("postgres");
        var builder =
                EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(folder.resolve("program").toFile())
                        .setDataDirectory(folder.resolve("data"))
                        .setCleanDataDirectory(false);
        for (String setting : DURABLE) {
            builder.setServerConfig(setting, "on");
        }
        var postgres = new Postgres(builder.start());
        shop.keep(postgres);
        postgres.checkDurable();
        return postgres;
    }

    private void checkDurable() throws SQLException {
        try (var connection = server.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            for (String setting : DURABLE) {
                try (var row = statement.executeQuery("show " + setting)) {
                    row.next();
                    if (!row.getString(1).equals("on")) {
                        throw new SQLException(
                                "expected " + setting + " to be on, found " + row.getString(1));
                    }
                }
            }
        }
    }

    /// The settings of a scheduler that keeps its journal here.
    Map<String, String> settings() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("GPU_SCHEDULER_DATABASE_DRIVER", "postgres");
        settings.put("GPU_SCHEDULER_DATABASE_HOST", "localhost");
        settings.put("GPU_SCHEDULER_DATABASE_PORT", String.valueOf(server.getPort()));
        settings.put("GPU_SCHEDULER_DATABASE_USER", "postgres");
        settings.put("GPU_SCHEDULER_DATABASE_PASSWORD", "postgres");
        settings.put("GPU_SCHEDULER_DATABASE_DATABASE", "postgres");
        return settings;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
