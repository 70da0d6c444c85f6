package io.gpusched.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// One real server for all tests of the module, durable as in production. It ends with the tests'
/// process. `-Dpostgres.url=`, `-Dpostgres.user=` and `-Dpostgres.password=` name another one.
final class TestPostgres {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    /// Started by whoever needs it first.
    private static final class Server {
        static final Database.Postgres DATABASE = start();

        static Database.Postgres start() {
            String given = System.getProperty("postgres.url", "");
            if (!given.isEmpty()) {
                return new Database.Postgres(
                        given,
                        System.getProperty("postgres.user", "postgres"),
                        System.getProperty("postgres.password", ""));
            }
            try {
                EmbeddedPostgres server =
                        EmbeddedPostgres.builder()
                                .setServerConfig("fsync", "on")
                                .setServerConfig("synchronous_commit", "on")
                                .setServerConfig("full_page_writes", "on")
                                .start();
                return new Database.Postgres(
                        server.getJdbcUrl("postgres", "postgres"), "postgres", "postgres");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private TestPostgres() {}

    /// An empty schema, seen by nobody else.
    static Database.Postgres emptySchema() {
        Database.Postgres server = Server.DATABASE;
        String schema = "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        try (var connection =
                        DriverManager.getConnection(
                                server.url(), server.user(), server.password());
                var sql = connection.createStatement()) {
            sql.execute("CREATE SCHEMA " + schema);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        String join = server.url().contains("?") ? "&" : "?";
        return new Database.Postgres(
                server.url() + join + "currentSchema=" + schema, server.user(), server.password());
    }
}
