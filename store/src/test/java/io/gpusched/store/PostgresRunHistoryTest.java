package io.gpusched.store;

/// On the newest supported release.
final class PostgresRunHistoryTest extends RunHistoryContract {
    private final Database database = TestPostgres.newest().emptySchema();

    @Override
    Database database() {
        return database;
    }
}
