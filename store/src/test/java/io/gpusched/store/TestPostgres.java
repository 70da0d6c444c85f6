package io.gpusched.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// Real servers for all tests of the module, durable as in production: one of the newest supported
/// release, one of the oldest. They end with the tests' process. `-Dpostgres.url=`,
/// `-Dpostgres.user=` and `-Dpostgres.password=` name another server to use as the newest.
final class TestPostgres {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final Database.Postgres database;

    private TestPostgres(Database.Postgres database) {
        this.database = database;
    }

    /// The release whose binaries the build downloads.
    static TestPostgres newest() {
        return Newest.SERVER;
    }

    /// The release that Debian packages. Without that package the test is aborted, or fails where
    /// `CI` is set.
    static TestPostgres oldest() {
        DebianPostgres.need();
        return Oldest.SERVER;
    }

    private static final class Newest {
        static final TestPostgres SERVER = new TestPostgres(start());

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

    private static final class Oldest {
        static final TestPostgres SERVER = new TestPostgres(DebianPostgres.start());
    }

    /// An empty schema that no other test sees.
    Database.Postgres emptySchema() {
        String schema = "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
        try (var connection =
                        DriverManager.getConnection(
                                database.url(), database.user(), database.password());
                var sql = connection.createStatement()) {
            sql.execute("CREATE SCHEMA " + schema);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        String join = database.url().contains("?") ? "&" : "?";
        return new Database.Postgres(
                database.url() + join + "currentSchema=" + schema,
                database.user(),
                database.password());
    }
}
