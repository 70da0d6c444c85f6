package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// The tables `history`, `tenant_history` and `pool_history`: figures of the cluster over time.
///
/// They cannot be rebuilt from the journal, which knows no utilisation and no power. So they are
/// not part of the [Tables], which are deleted and rebuilt when they are damaged; on SQLite they
/// are in a file of their own. A damaged file is renamed and a new one begun. Every method may
/// throw a [StoreException], after which the next call opens a new connection. Any thread may call
/// it; calls are serialised.
public final class HistoryTables implements AutoCloseable {
    static final String FILE = "history.db";

    private static final String FAMILY = "history";
    private static final List<String> KEYS = List.of("step", "at");
    private static final List<String> COUNTS = List.of("samples", "measured");

    private final Database database;
    private final Dialect dialect;
    private final StoreHealth health;
    private @Nullable Connection connection;
    private boolean closed;

    /// Opens nothing before the first call, so that a server starts without them.
    public HistoryTables(Database database, StoreHealth health) {
        this.database = database;
        this.dialect = Dialect.of(database);
        this.health = health;
    }

    /// The figures of pools.
    public PoolHistoryTable pools() {
        return new PoolHistoryTable(this);
    }

    Dialect dialect() {
        return dialect;
    }

    /// Writes rows in one transaction. A row replaces an earlier one of the same step.
    public synchronized void write(List<HistoryRow> rows) {
        attempt(
                "writing the history",
                to -> {
                    try (var cluster = upsert(to, false);
                            var tenants = upsert(to, true)) {
                        for (HistoryRow row : rows) {
                            boolean ofTenant = !row.tenant().isEmpty();
                            (ofTenant ? tenants : cluster).put(values(row, ofTenant));
                        }
                        cluster.flush();
                        tenants.flush();
                    }
                    to.commit();
                });
    }

    /// Deletes the steps of this length that began before a time.
    public synchronized void prune(int step, long before) {
        attempt(
                "deleting old history",
                to -> {
                    for (String table : List.of("history", "tenant_history")) {
                        String sql = "DELETE FROM " + table + " WHERE step = ? AND at < ?";
                        try (var statement = to.prepareStatement(sql)) {
                            statement.setInt(1, step);
                            statement.setLong(2, before);
                            statement.executeUpdate();
                        }
                    }
                    to.commit();
                });
    }

    /// Where the newest step of this length begins; -1 if there is none.
    public synchronized long newest(int step) {
        var newest = new long[] {-1};
        attempt(
                "reading the history",
                to -> {
                    String sql = "SELECT max(at) FROM history WHERE step = ?";
                    try (var statement = to.prepareStatement(sql)) {
                        statement.setInt(1, step);
                        try (ResultSet row = statement.executeQuery()) {
                            newest[0] =
                                    row.next() && row.getObject(1) != null ? row.getLong(1) : -1;
                        }
                    }
                    to.commit();
                });
        return newest[0];
    }

    /// The steps of the cluster of this length that begin in [from, to), oldest first.
    public synchronized List<HistoryRow> cluster(int step, long from, long to) {
        var rows = new ArrayList<HistoryRow>();
        read(step, from, to, "", rows::add);
        return rows;
    }

    /// The same for every tenant, or for one; a step without jobs of the tenant has no row.
    ///
    /// @param tenant null for all
    public synchronized void tenants(
            int step, long from, long to, @Nullable String tenant, Consumer<HistoryRow> into) {
        read(step, from, to, tenant, into);
    }

    private void read(
            int step, long from, long to, @Nullable String tenant, Consumer<HistoryRow> into) {
        boolean ofTenants = tenant == null || !tenant.isEmpty();
        String sql = select(ofTenants, ofTenants && tenant != null);
        attempt(
                "reading the history",
                connected -> {
                    try (PreparedStatement statement = connected.prepareStatement(sql)) {
                        statement.setInt(1, step);
                        statement.setLong(2, from);
                        statement.setLong(3, to);
                        if (ofTenants && tenant != null) {
                            statement.setString(4, tenant);
                        }
                        try (ResultSet row = statement.executeQuery()) {
                            while (row.next()) {
                                into.accept(row(row, ofTenants));
                            }
                        }
                    }
                    connected.commit();
                });
    }

    /// Without statistics SQLite would use the primary key for one tenant, too, and read the steps
    /// of all tenants.
    String select(boolean ofTenants, boolean ofOneTenant) {
        String table = ofTenants ? "tenant_history" : "history";
        boolean named = ofOneTenant && dialect == Dialect.SQLITE;
        return "SELECT %s FROM %s%s WHERE step = ? AND at >= ? AND at < ?%s ORDER BY at"
                .formatted(
                        String.join(", ", columns(ofTenants)),
                        table,
                        named ? " INDEXED BY tenant_history_by_tenant" : "",
                        ofOneTenant ? " AND tenant_id = ?" : "");
    }

    private static List<String> columns(boolean ofTenants) {
        var columns = new ArrayList<>(KEYS);
        if (ofTenants) {
            columns.add("tenant_id");
        }
        columns.addAll(COUNTS);
        columns.addAll(
                HistoryColumn.of(ofTenants).stream()
                        .map(HistoryColumn::toString)
                        .collect(Collectors.toList()));
        columns.add("waits");
        return columns;
    }

    private Upsert upsert(Connection to, boolean ofTenants) throws SQLException {
        return new Upsert(
                to,
                dialect,
                ofTenants ? "tenant_history" : "history",
                KEYS.size() + (ofTenants ? 1 : 0),
                columns(ofTenants).toArray(String[]::new));
    }

    private static @Nullable Object[] values(HistoryRow row, boolean ofTenant) {
        var values = new ArrayList<@Nullable Object>();
        values.add(row.step());
        values.add(row.at());
        if (ofTenant) {
            values.add(row.tenant());
        }
        values.add(row.samples());
        values.add(row.measured());
        for (HistoryColumn column : HistoryColumn.of(ofTenant)) {
            values.add(row.figures().get(column));
        }
        values.add(row.waits().encoded());
        return values.toArray();
    }

    private static HistoryRow row(ResultSet row, boolean ofTenant) throws SQLException {
        int place = ofTenant ? 4 : 3;
        int samples = row.getInt(place++);
        int measured = row.getInt(place++);
        var figures = new EnumMap<HistoryColumn, Double>(HistoryColumn.class);
        for (HistoryColumn column : HistoryColumn.of(ofTenant)) {
            double figure = row.getDouble(place++);
            if (!row.wasNull()) {
                figures.put(column, figure);
            }
        }
        return new HistoryRow(
                row.getInt(1),
                row.getLong(2),
                ofTenant ? row.getString(3) : "",
                samples,
                measured,
                figures,
                WaitSketch.decoded(row.getBytes(place)));
    }

    interface Work {
        void with(Connection connection) throws SQLException;
    }

    synchronized void attempt(String doing, Work work) {
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the history is closed");
        }
        try {
            work.with(connection());
        } catch (SQLException e) {
            drop();
            setAsideIfDamaged(e);
            throw StoreException.broken(doing, e);
        }
    }

    private Connection connection() throws SQLException {
        Connection present = connection;
        if (present == null) {
            present = Dialect.connectRelaxed(database, FILE);
            connection = present;
            try {
                migrate(present);
            } catch (StoreException e) {
                drop();
                throw e;
            }
            present.setAutoCommit(false);
        }
        return present;
    }

    /// Creates the tables, also if one was deleted since.
    private void migrate(Connection to) throws SQLException {
        new Migrations(dialect, FAMILY).run(to);
        try (var sql = to.createStatement()) {
            sql.executeQuery("SELECT 1 FROM history, tenant_history, pool_history LIMIT 1").close();
        } catch (SQLException missing) {
            if (dialect.damaged(missing)) {
                throw missing;
            }
            try (var sql = to.createStatement()) {
                sql.execute("DELETE FROM schema_versions WHERE family = '" + FAMILY + "'");
            }
            health.warning("a table of the history was missing and is created again");
            new Migrations(dialect, FAMILY).run(to);
        }
    }

    private void drop() {
        Connection present = connection;
        connection = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException e) {
                health.warning("closing a connection to the history: " + e.getMessage());
            }
        }
    }

    private void setAsideIfDamaged(SQLException e) {
        if (!(database instanceof Database.Sqlite sqlite) || !dialect.damaged(e)) {
            return;
        }
        Path moved = SetAsideFiles.move(sqlite.folder().resolve(FILE), "damaged");
        for (String companion : List.of("-wal", "-shm")) {
            Path file = sqlite.folder().resolve(FILE + companion);
            if (Files.exists(file)) {
                SetAsideFiles.move(file, "damaged");
            }
        }
        health.warning(
                "the history was damaged (%s) and is now in %s; a new one begins"
                        .formatted(e.getMessage(), moved));
    }

    @Override
    public synchronized void close() {
        closed = true;
        drop();
    }
}
