package io.gpusched.store;

/// What the tables in PostgreSQL promise, whatever its release.
abstract class PostgresTablesContract extends TablesContract {
    private final Database schema;

    PostgresTablesContract(TestPostgres server) {
        this.schema = server.emptySchema();
    }

    @Override
    Database database() {
        return schema;
    }
}
