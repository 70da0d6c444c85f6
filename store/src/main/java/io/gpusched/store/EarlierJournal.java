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

/// Detects a lost journal: there is no journal or an empty one, but beside it are files that can
/// only have been made from a journal.
///
/// A scheduler that started there would begin with an empty cluster state, reuse job ids, and make
/// agents stop all running tasks.
public final class EarlierJournal {
    private final Database database;
    private final Path snapshots;

    public EarlierJournal(Database database, Path snapshots) {
        this.database = database;
        this.snapshots = snapshots;
    }

    /// Names what was made from a journal that no longer exists; empty if nothing is missing. An
    /// unreadable journal is reported when it is opened.
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

    /// The number in the only row of a table; 0 if there is no such file, table or row.
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

    /// Moves the snapshots away, because the batches of a new journal have smaller numbers. Tables
    /// are emptied when they are opened.
    public void setSnapshotsAside() {
        if (Snapshots.any(snapshots)) {
            SetAsideFiles.move(snapshots, "earlier");
        }
    }
}
