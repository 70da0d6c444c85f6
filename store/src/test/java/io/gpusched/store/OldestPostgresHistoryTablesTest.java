package io.gpusched.store;

/// On the oldest tested release.
final class OldestPostgresHistoryTablesTest extends HistoryTablesContract {
    private final Database database = TestPostgres.oldest().emptySchema();

    @Override
    Database database() {
        return database;
    }
}
