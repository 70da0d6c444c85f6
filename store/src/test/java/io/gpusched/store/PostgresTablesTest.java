package io.gpusched.store;

final class PostgresTablesTest extends TablesContract {
    private final Database schema = TestPostgres.emptySchema();

    @Override
    Database database() {
        return schema;
    }
}
