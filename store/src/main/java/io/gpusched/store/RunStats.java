package io.gpusched.store;

import io.gpusched.core.event.Event;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.RuntimeAverages;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tables of learned run times: `stats`, how long kinds of jobs take on GPU models, and
/// `interference`, how much neighbours slow them down.
///
/// It feeds the events of the journal to its own learner and writes that learner's values. So the
/// tables always agree with the model, whatever is imported or forgotten.
final class RunStats implements AutoCloseable {
    private final Connection connection;
    private final LearnedRows<LearnedRuntime> pairs;
    private final LearnedRows<LearnedSlowdown> slowdowns;
    private @Nullable Learner learner;

    RunStats(Connection connection, Dialect dialect) throws SQLException {
        this.connection = connection;
        pairs =
                new LearnedRows<>(
                        connection,
                        dialect,
                        "stats",
                        pair -> new LearnedRows.Key(pair.kind(), pair.gpuModel()),
                        RunStats::row,
                        "job_type",
                        "gpu_type",
                        "mean_runtime",
                        "variance",
                        "count",
                        "together_mean",
                        "together_variance",
                        "together_count",
                        "last_updated",
                        "changed");
        slowdowns =
                new LearnedRows<>(
                        connection,
                        dialect,
                        "interference",
                        slowed -> new LearnedRows.Key(slowed.kind(), slowed.neighbour()),
                        RunStats::row,
                        "job_type",
                        "co_job_type",
                        "slowdown_factor",
                        "count",
                        "last_updated",
                        "changed");
    }

    void add(List<Event> learned) throws SQLException {
        if (learned.isEmpty()) {
            return;
        }
        Learner knows = learner();
        learned.forEach(knows::apply);
        pairs.show(knows.book().pairs());
        slowdowns.show(knows.book().slowdowns());
        try (var update = connection.prepareStatement("UPDATE retention SET pairs = ?")) {
            update.setLong(1, knows.book().retention());
            update.executeUpdate();
        }
    }

    /// Continues from the values in the tables.
    private Learner learner() throws SQLException {
        Learner present = learner;
        if (present == null) {
            long retention = Learner.RETENTION;
            try (var query = connection.createStatement();
                    ResultSet row = query.executeQuery("SELECT pairs FROM retention")) {
                retention = row.next() ? row.getLong(1) : retention;
            }
            present =
                    Learner.restored(
                            new LearnerImage(
                                    retention,
                                    ExplorationCounts.NONE,
                                    storedPairs(),
                                    storedSlowdowns(),
                                    new RuntimeModel().image()));
            pairs.resume(present.book().pairs());
            slowdowns.resume(present.book().slowdowns());
            learner = present;
        }
        return present;
    }

    private List<LearnedRuntime> storedPairs() throws SQLException {
        var stored = new ArrayList<LearnedRuntime>();
        try (var query = connection.createStatement();
                ResultSet row =
                        query.executeQuery(
                                """
                                SELECT job_type, gpu_type, mean_runtime, variance, count,
                                    together_mean, together_variance, together_count, last_updated
                                FROM stats ORDER BY changed, last_updated, job_type, gpu_type
                                """)) {
            while (row.next()) {
                stored.add(
                        new LearnedRuntime(
                                row.getString(1),
                                row.getString(2),
                                times(row, 3),
                                times(row, 6),
                                time(row.getDouble(9))));
            }
        }
        return stored;
    }

    private List<LearnedSlowdown> storedSlowdowns() throws SQLException {
        var stored = new ArrayList<LearnedSlowdown>();
        try (var query = connection.createStatement();
                ResultSet row =
                        query.executeQuery(
                                """
                                SELECT job_type, co_job_type, slowdown_factor, count, last_updated
                                FROM interference
                                ORDER BY changed, last_updated, job_type, co_job_type
                                """)) {
            while (row.next()) {
                stored.add(
                        new LearnedSlowdown(
                                row.getString(1),
                                row.getString(2),
                                row.getDouble(3),
                                row.getLong(4),
                                time(row.getDouble(5))));
            }
        }
        return stored;
    }

    private static RuntimeAverages times(ResultSet row, int from) throws SQLException {
        return new RuntimeAverages(
                row.getDouble(from), row.getDouble(from + 1), row.getLong(from + 2));
    }

    private static List<Object> row(LearnedRuntime pair) {
        return List.of(
                pair.alone().mean(),
                pair.alone().variance(),
                pair.alone().count(),
                pair.together().mean(),
                pair.together().variance(),
                pair.together().count(),
                seconds(pair.at()));
    }

    private static List<Object> row(LearnedSlowdown slowed) {
        return List.of(slowed.part(), slowed.count(), seconds(slowed.at()));
    }

    private static double seconds(Instant at) {
        return at.toEpochMilli() / 1e3;
    }

    private static Instant time(double seconds) {
        return Instant.ofEpochMilli(Math.round(seconds * 1e3));
    }

    /// Forgets everything, for tables that are rebuilt.
    static void empty(Connection connection) throws SQLException {
        try (var sql = connection.createStatement()) {
            sql.executeUpdate("UPDATE retention SET pairs = " + Learner.RETENTION);
        }
    }

    @Override
    public void close() throws SQLException {
        pairs.close();
        slowdowns.close();
    }
}
