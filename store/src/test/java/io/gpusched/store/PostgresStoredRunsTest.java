package io.gpusched.store;

/// On the newest supported release.
final class PostgresStoredRunsTest extends StoredRunsContract {
    private final Database database = TestPostgres.newest().emptySchema();

    @Override
    Database database() {
        return database;
    }
}
