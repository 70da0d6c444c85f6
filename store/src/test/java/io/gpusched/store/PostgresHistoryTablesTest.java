package io.gpusched.store;

/// On the newest supported release.
final class PostgresHistoryTablesTest extends HistoryTablesContract {
    private final Database database = TestPostgres.newest().emptySchema();

    @Override
    Database database() {
        return database;
    }
}
