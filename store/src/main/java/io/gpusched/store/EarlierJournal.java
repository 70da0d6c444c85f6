package io.gpusched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Finds out whether a journal has been lost: there is none, or an empty one, and beside it lies
/// what can only have been made from a journal.
///
/// A scheduler that started in such a place would begin an empty ledger, give out numbers of jobs
/// for the second time, and have agents stop everything that runs.
public final class EarlierJournal {
    private final Database database;
    private final Path snapshots;

    public EarlierJournal(Database database, Path snapshots) {
        this.database = database;
        this.snapshots = snapshots;
    }

    /// What was made from a journal that is no longer there; empty when nothing is missing. A
    /// journal that cannot be read is left to those who open it.
    public List<String> traces() {
        var traces = new ArrayList<String>();
        try {
            if (number(JournalLink.FILE, "cell", "head") > 0) {
                return List.of();
            }
            if (Snapshots.any(snapshots)) {
                traces.add("snapshots in " + snapshots);
            }
            String tables = tables();
            if (!tables.isEmpty()) {
                traces.add(tables);
            }
            return traces;
        } catch (SQLException e) {
            return List.of();
        }
    }

    private String tables() {
        try {
            long batch = number(Tables.FILE, "projected", "batch");
            return batch == 0 ? "" : "tables of the journal up to batch " + batch;
        } catch (SQLException e) {
            return "tables that cannot be read";
        }
    }

    /// The number in a table's only row; 0 when there is no such file, table or row.
    private long number(String file, String table, String column) throws SQLException {
        if (database instanceof Database.Sqlite sqlite
                && !hasBytes(sqlite.folder().resolve(file))) {
            return 0;
        }
        try (Connection connection = Dialect.connectReading(database, file);
                Statement sql = connection.createStatement()) {
            String known =
                    switch (database) {
                        case Database.Sqlite _ ->
                                "SELECT 1 FROM sqlite_master WHERE name = '" + table + "'";
                        case Database.Postgres _ ->
                                "SELECT 1 WHERE to_regclass('" + table + "') IS NOT NULL";
                    };
            return first(sql, known) == 0 ? 0 : first(sql, "SELECT " + column + " FROM " + table);
        }
    }

    private static long first(Statement sql, String query) throws SQLException {
        try (ResultSet row = sql.executeQuery(query)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    private static boolean hasBytes(Path file) {
        try {
            return Files.size(file) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Moves the snapshots out of the way of a new journal's, whose batches have smaller numbers.
    /// Tables are emptied by whoever opens them.
    public void setSnapshotsAside() {
        if (Snapshots.any(snapshots)) {
            SetAsideFiles.move(snapshots, "earlier");
        }
    }
}
