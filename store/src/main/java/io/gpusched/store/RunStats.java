package io.gpusched.store;

import io.gpusched.core.event.Event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// The running mean and variance of run times, in seconds, for each kind of job on each kind of
/// GPU. The newest run counts a tenth.
final class RunStats implements AutoCloseable {
    private static final double NEWEST = 0.1;
    private static final double FIRST_VARIANCE = 1.0;
    private static final double LEAST_VARIANCE = 0.01;

    private final PreparedStatement find;
    private final Upsert put;

    RunStats(Connection connection, Dialect dialect) throws SQLException {
        find =
                connection.prepareStatement(
                        """
                        SELECT mean_runtime, variance, count FROM stats
                        WHERE job_type = ? AND gpu_type = ?
                        """);
        put =
                new Upsert(
                        connection,
                        dialect,
                        "stats",
                        2,
                        "job_type",
                        "gpu_type",
                        "mean_runtime",
                        "variance",
                        "count",
                        "last_updated");
    }

    void add(Event.Observed e) throws SQLException {
        double ran = e.ran().toNanos() / 1e9;
        double mean = ran;
        double variance = FIRST_VARIANCE;
        long count = 1;
        find.setString(1, e.kind());
        find.setString(2, e.gpuModel());
        try (var row = find.executeQuery()) {
            if (row.next()) {
                double before = row.getDouble(1);
                double apart = (ran - before) * (ran - before);
                mean = (1 - NEWEST) * before + NEWEST * ran;
                variance =
                        Math.max(LEAST_VARIANCE, (1 - NEWEST) * row.getDouble(2) + NEWEST * apart);
                count = row.getLong(3) + 1;
            }
        }
        double at = e.at().toEpochMilli() / 1e3;
        put.put(e.kind(), e.gpuModel(), mean, variance, count, at);
        put.flush();
    }

    @Override
    public void close() throws SQLException {
        find.close();
        put.close();
    }
}
