package io.gpusched.store;

/// On the oldest supported release that can be had as a package.
final class OldestPostgresTablesTest extends PostgresTablesContract {
    OldestPostgresTablesTest() {
        super(TestPostgres.oldest());
    }
}
