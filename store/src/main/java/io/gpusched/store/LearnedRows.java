package io.gpusched.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Keeps one table equal to a list of learned values: writes rows for new list entries, even if
/// their values are as before, and deletes rows of entries that are gone.
final class LearnedRows<T> implements AutoCloseable {
    /// The key of a row.
    record Key(String kind, String of) {}

    private final String table;
    private final Connection connection;
    private final Function<T, Key> key;
    private final Function<T, List<Object>> values;
    private final Upsert upsert;
    private final PreparedStatement delete;

    /// The objects that the table contains, by identity: a list appends a new object for each
    /// change.
    private Set<T> shown = Collections.newSetFromMap(new IdentityHashMap<>());

    private Set<Key> keys = new HashSet<>();
    private long changes;

    /// @param values the columns between the key and the change number
    /// @param columns the two key columns first, the change number last
    LearnedRows(
            Connection connection,
            Dialect dialect,
            String table,
            Function<T, Key> key,
            Function<T, List<Object>> values,
            String... columns)
            throws SQLException {
        this.table = table;
        this.connection = connection;
        this.key = key;
        this.values = values;
        upsert = new Upsert(connection, dialect, table, 2, columns);
        delete =
                connection.prepareStatement(
                        "DELETE FROM %s WHERE %s = ? AND %s = ?"
                                .formatted(table, columns[0], columns[1]));
    }

    /// Notes that the table already contains these.
    void resume(List<T> all) throws SQLException {
        note(all);
        try (var query = connection.createStatement();
                ResultSet row = query.executeQuery("SELECT max(changed) FROM " + table)) {
            changes = row.next() ? row.getLong(1) : 0;
        }
    }

    /// @param all ordered by last change, the oldest first
    void show(List<T> all) throws SQLException {
        Set<Key> before = keys;
        for (T one : all) {
            if (!shown.contains(one)) {
                put(one);
            }
        }
        upsert.flush();
        note(all);
        for (Key gone : before) {
            if (!keys.contains(gone)) {
                delete.setString(1, gone.kind);
                delete.setString(2, gone.of);
                delete.executeUpdate();
            }
        }
    }

    private void note(List<T> all) {
        shown = Collections.newSetFromMap(new IdentityHashMap<>());
        keys = new HashSet<>();
        for (T one : all) {
            shown.add(one);
            keys.add(key.apply(one));
        }
    }

    private void put(T one) throws SQLException {
        var row = new ArrayList<Object>();
        row.add(key.apply(one).kind);
        row.add(key.apply(one).of);
        row.addAll(values.apply(one));
        row.add(++changes);
        upsert.put(row.toArray());
    }

    @Override
    public void close() throws SQLException {
        upsert.close();
        delete.close();
    }
}
