package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;

import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The contract of the tables in PostgreSQL, for every release.
abstract class PostgresTablesContract extends TablesContract {
    private final Database.Postgres schema;

    PostgresTablesContract(TestPostgres server) {
        this.schema = server.emptySchema();
    }

    @Override
    Database database() {
        return schema;
    }

    @Test
    void theHistoryConnectsAgainAfterItsConnectionsWereLost() throws SQLException {
        new BusyCell(journal, journal.raiseTerm(), 1).live(10);
        try (var tables = Tables.open(journal, health);
                var history = new JobHistory(schema)) {
            tables.catchUp();
            var job = new JobId(1);
            Set<Integer> others = backends();
            List<Event> events = history.events(job);
            endBackendsBut(others);
            assertThatThrownBy(() -> history.events(job)).isInstanceOf(StoreException.class);
            assertThat(history.events(job)).isEqualTo(events);

            endBackendsBut(others);
            assertThatThrownBy(() -> history.submitted(job, 0)).isInstanceOf(StoreException.class);
            assertThat(history.submitted(job, 0)).isNotNull();
        }
    }

    /// The connections of this database and user, except the one that asks.
    private Set<Integer> backends() throws SQLException {
        var found = new HashSet<Integer>();
        try (var connection = connect();
                var sql = connection.createStatement();
                var row =
                        sql.executeQuery(
                                "SELECT pid FROM pg_stat_activity"
                                        + " WHERE datname = current_database()"
                                        + " AND usename = current_user"
                                        + " AND pid <> pg_backend_pid()")) {
            while (row.next()) {
                found.add(row.getInt(1));
            }
        }
        return found;
    }

    private void endBackendsBut(Set<Integer> others) throws SQLException {
        Set<Integer> ended = backends();
        ended.removeAll(others);
        assertThat(ended).isNotEmpty();
        try (var connection = connect();
                var sql = connection.prepareStatement("SELECT pg_terminate_backend(?, 60000)")) {
            for (int pid : ended) {
                sql.setInt(1, pid);
                sql.execute();
            }
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(schema.url(), schema.user(), schema.password());
    }
}
