package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The table `pool_history`: figures of pools over time, beside the other tables of the history.
public final class PoolHistoryTable {
    private static final String TABLE = "pool_history";
    private static final String[] COLUMNS = {
        "pool_id",
        "step",
        "at",
        "samples",
        "measured",
        "replicas",
        "ready",
        "arrivals",
        "tokens_per_second",
        "cost_per_hour",
        "ttft_p95_ms",
        "slo_percent"
    };

    private final HistoryTables tables;

    PoolHistoryTable(HistoryTables tables) {
        this.tables = tables;
    }

    /// Writes rows in one transaction. A row replaces an earlier one of the same step.
    public void write(List<PoolHistoryRow> rows) {
        tables.attempt(
                "writing the history of pools",
                to -> {
                    try (var upsert = new Upsert(to, tables.dialect(), TABLE, 3, COLUMNS)) {
                        for (PoolHistoryRow row : rows) {
                            upsert.put(
                                    row.pool(),
                                    row.step(),
                                    row.at(),
                                    row.samples(),
                                    row.measured(),
                                    row.replicas(),
                                    row.ready(),
                                    row.arrivals(),
                                    row.tokensPerSecond(),
                                    row.costPerHour(),
                                    known(row.firstTokenP95()),
                                    known(row.sloPercent()));
                        }
                        upsert.flush();
                    }
                    to.commit();
                });
    }

    private static @Nullable Double known(double figure) {
        return Double.isNaN(figure) ? null : figure;
    }

    /// Joins the steps of one length in [from, to) to longer ones.
    public void join(int finer, int step, long from, long to) {
        String sql =
                """
                INSERT INTO pool_history (%s)
                SELECT pool_id, %d, at - at %% %d, sum(samples), sum(measured),
                  sum(replicas * samples) / sum(samples), sum(ready * samples) / sum(samples),
                  sum(arrivals * samples) / sum(samples),
                  sum(tokens_per_second * samples) / sum(samples),
                  sum(cost_per_hour * samples) / sum(samples),
                  sum(ttft_p95_ms * measured) / nullif(sum(measured), 0),
                  sum(slo_percent * measured) / nullif(sum(measured), 0)
                FROM pool_history WHERE step = ? AND at >= ? AND at < ?
                GROUP BY pool_id, at - at %% %d
                ON CONFLICT (pool_id, step, at) DO NOTHING
                """
                        .formatted(String.join(", ", COLUMNS), step, step, step);
        tables.attempt(
                "joining the history of pools",
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.setInt(1, finer);
                        statement.setLong(2, from);
                        statement.setLong(3, to);
                        statement.executeUpdate();
                    }
                    connection.commit();
                });
    }

    /// Deletes the steps of this length that began before a time.
    public void prune(int step, long before) {
        tables.attempt(
                "deleting old history of pools",
                to -> {
                    String sql = "DELETE FROM pool_history WHERE step = ? AND at < ?";
                    try (var statement = to.prepareStatement(sql)) {
                        statement.setInt(1, step);
                        statement.setLong(2, before);
                        statement.executeUpdate();
                    }
                    to.commit();
                });
    }

    /// The steps of a pool of this length that begin in [from, to), oldest first.
    public List<PoolHistoryRow> read(String pool, int step, long from, long to) {
        var rows = new ArrayList<PoolHistoryRow>();
        String sql =
                "SELECT %s FROM pool_history WHERE pool_id = ? AND step = ? AND at >= ? AND at < ? ORDER BY at"
                        .formatted(String.join(", ", COLUMNS));
        tables.attempt(
                "reading the history of pools",
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.setString(1, pool);
                        statement.setInt(2, step);
                        statement.setLong(3, from);
                        statement.setLong(4, to);
                        try (ResultSet row = statement.executeQuery()) {
                            while (row.next()) {
                                rows.add(row(row));
                            }
                        }
                    }
                    connection.commit();
                });
        return rows;
    }

    private static PoolHistoryRow row(ResultSet row) throws SQLException {
        return new PoolHistoryRow(
                row.getString(1),
                row.getInt(2),
                row.getLong(3),
                row.getInt(4),
                row.getInt(5),
                row.getDouble(6),
                row.getDouble(7),
                row.getDouble(8),
                row.getDouble(9),
                row.getDouble(10),
                orNaN(row, 11),
                orNaN(row, 12));
    }

    private static double orNaN(ResultSet row, int column) throws SQLException {
        double figure = row.getDouble(column);
        return row.wasNull() ? Double.NaN : figure;
    }
}
