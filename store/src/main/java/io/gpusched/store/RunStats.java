package io.gpusched.store;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RunTimes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/// What was learned from runs, for people: how long kinds of jobs take on kinds of GPUs (`stats`),
/// and how much neighbours slow them down (`interference`). The figures are those of the learner;
/// where several rows changed at the same time, another one of them may be forgotten first.
final class RunStats implements AutoCloseable {
    private static final double NEWEST = 0.1;

    private final Connection connection;
    private final PreparedStatement findPair;
    private final PreparedStatement findSlowdown;
    private final Upsert pairs;
    private final Upsert slowdowns;

    RunStats(Connection connection, Dialect dialect) throws SQLException {
        this.connection = connection;
        findPair =
                connection.prepareStatement(
                        """
                        SELECT mean_runtime, variance, count,
                            together_mean, together_variance, together_count
                        FROM stats WHERE job_type = ? AND gpu_type = ?
                        """);
        findSlowdown =
                connection.prepareStatement(
                        """
                        SELECT slowdown_factor, count FROM interference
                        WHERE job_type = ? AND co_job_type = ?
                        """);
        pairs =
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
                        "together_mean",
                        "together_variance",
                        "together_count",
                        "last_updated");
        slowdowns =
                new Upsert(
                        connection,
                        dialect,
                        "interference",
                        2,
                        "job_type",
                        "co_job_type",
                        "slowdown_factor",
                        "count",
                        "last_updated");
    }

    void add(List<Event> learned) throws SQLException {
        for (Event event : learned) {
            switch (event) {
                case Event.Observed e -> observed(e);
                case Event.Imported e -> imported(e);
                case Event.RetentionChanged e -> retain(e.pairs());
                default -> {}
            }
        }
        if (!learned.isEmpty()) {
            forget("stats", "job_type, gpu_type");
            forget("interference", "job_type, co_job_type");
        }
    }

    private void observed(Event.Observed e) throws SQLException {
        double seconds = e.ran().toNanos() / 1e9;
        RunTimes alone = RunTimes.NONE;
        RunTimes together = RunTimes.NONE;
        findPair.setString(1, e.kind());
        findPair.setString(2, e.gpuModel());
        try (ResultSet row = findPair.executeQuery()) {
            if (row.next()) {
                alone = times(row, 1);
                together = times(row, 4);
            }
        }
        if (e.neighbours().isEmpty()) {
            alone = alone.and(seconds);
        } else {
            together = together.and(seconds);
        }
        put(new LearnedRuntime(e.kind(), e.gpuModel(), alone, together, e.at()));
        pairs.flush();
        if (alone.count() > 0) {
            double slower = Math.max(0, (seconds - alone.mean()) / alone.mean());
            for (String neighbour : e.neighbours().stream().distinct().toList()) {
                slowed(e.kind(), neighbour, slower, e.at());
            }
        }
    }

    private static RunTimes times(ResultSet row, int from) throws SQLException {
        return new RunTimes(row.getDouble(from), row.getDouble(from + 1), row.getLong(from + 2));
    }

    private void slowed(String kind, String neighbour, double slower, Instant at)
            throws SQLException {
        double before = 0;
        long count = 0;
        findSlowdown.setString(1, kind);
        findSlowdown.setString(2, neighbour);
        try (ResultSet row = findSlowdown.executeQuery()) {
            if (row.next()) {
                before = row.getDouble(1);
                count = row.getLong(2);
            }
        }
        double part = (1 - NEWEST) * before + NEWEST * slower;
        put(new LearnedSlowdown(kind, neighbour, part, count + 1, at));
        slowdowns.flush();
    }

    private void imported(Event.Imported e) throws SQLException {
        for (LearnedRuntime pair : e.runtimes()) {
            put(pair);
        }
        for (LearnedSlowdown slowdown : e.slowdowns()) {
            put(slowdown);
        }
        pairs.flush();
        slowdowns.flush();
    }

    private void put(LearnedRuntime pair) throws SQLException {
        pairs.put(
                pair.kind(),
                pair.gpuModel(),
                pair.alone().mean(),
                pair.alone().variance(),
                pair.alone().count(),
                pair.together().mean(),
                pair.together().variance(),
                pair.together().count(),
                seconds(pair.at()));
    }

    private void put(LearnedSlowdown slowdown) throws SQLException {
        slowdowns.put(
                slowdown.kind(),
                slowdown.neighbour(),
                slowdown.part(),
                slowdown.count(),
                seconds(slowdown.at()));
    }

    private static double seconds(Instant at) {
        return at.toEpochMilli() / 1e3;
    }

    /// Keeps so many rows from now on.
    private void retain(long rows) throws SQLException {
        try (var update = connection.prepareStatement("UPDATE retention SET pairs = ?")) {
            update.setLong(1, rows);
            update.executeUpdate();
        }
    }

    private void forget(String table, String key) throws SQLException {
        try (var delete = connection.createStatement()) {
            delete.executeUpdate(
                    """
                    DELETE FROM %s WHERE (%s) IN (
                        SELECT %s FROM %s ORDER BY last_updated DESC
                        LIMIT 1000000 OFFSET (SELECT pairs FROM retention))
                    """
                            .formatted(table, key, key, table));
        }
    }

    /// Forgets everything, for tables that are made again.
    static void empty(Connection connection) throws SQLException {
        try (var sql = connection.createStatement()) {
            sql.executeUpdate("UPDATE retention SET pairs = " + Learner.RETENTION);
        }
    }

    @Override
    public void close() throws SQLException {
        findPair.close();
        findSlowdown.close();
        pairs.close();
        slowdowns.close();
    }
}
