package io.gpusched.store;

/// On the newest supported release.
final class PostgresTablesTest extends PostgresTablesContract {
    PostgresTablesTest() {
        super(TestPostgres.newest());
    }
}
