package io.gpusched.store;

/// The contract of the tables in PostgreSQL, for every release.
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
