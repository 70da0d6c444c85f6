package io.gpusched.store;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Looks up the runs of a span of time in the table `allocations`, as far as the [Tables] are up to
/// date. Any thread may call it; calls are serialised.
public final class StoredRuns implements AutoCloseable {
    private static final String COLUMNS =
            "SELECT a.id, a.job_id, a.tenant_id, a.node_id, a.gpu_ids, a.allocated_at,"
                    + " a.completed_at, a.end_kind, j.name FROM allocations a"
                    + " LEFT JOIN jobs j ON j.id = a.job_id";

    /// Jobs that one statement names.
    private static final int MOST_NAMED = 500;

    /// `["node-1:0","node-1:1"]`; a quote in the name of a node is escaped.
    private static final Pattern GPU = Pattern.compile(":([0-9]{1,2})\"[,\\]]");

    private final Database database;
    private final Dialect dialect;
    private @Nullable Connection connection;

    /// The runs of a database whose tables have been opened before.
    public StoredRuns(Database database) {
        this.database = database;
        this.dialect = Dialect.of(database);
    }

    /// Selects runs.
    ///
    /// @param node null for all
    /// @param tenant null for all
    public record Query(
            Instant from, Instant to, @Nullable NodeId node, @Nullable TenantId tenant) {}

    /// @param more whether there are further ones, which ended earlier
    public record Page(List<RunRow> runs, boolean more) {
        public Page {
            runs = List.copyOf(runs);
        }
    }

    /// Runs that overlap the span and have ended, those that ended last first. A page ends after so
    /// many tasks; a run has one or more.
    public synchronized Page ended(Query query, int mostTasks) {
        var values = new ArrayList<Object>(List.of(query.from(), query.to()));
        var where = new StringBuilder(" WHERE a.completed_at > ? AND a.allocated_at < ?");
        if (query.node() != null) {
            where.append(" AND a.node_id = ?");
            values.add(query.node().name());
        }
        if (query.tenant() != null) {
            where.append(" AND a.tenant_id = ?");
            values.add(query.tenant().name());
        }
        values.add(mostTasks + 1);
        return rows(where + " ORDER BY a.completed_at DESC LIMIT ?", values, mostTasks);
    }

    /// The runs of jobs that have not ended, as far as the tables know.
    public synchronized List<RunRow> open(Collection<JobId> jobs) {
        var found = new ArrayList<RunRow>();
        List<Object> names = jobs.stream().<Object>map(JobId::toString).toList();
        for (int from = 0; from < names.size(); from += MOST_NAMED) {
            List<Object> some = names.subList(from, Math.min(from + MOST_NAMED, names.size()));
            String places = String.join(", ", Collections.nCopies(some.size(), "?"));
            String where = " WHERE a.completed_at IS NULL AND a.job_id IN (" + places + ")";
            found.addAll(rows(where, some, Integer.MAX_VALUE).runs());
        }
        return found;
    }

    private Page rows(String rest, List<Object> values, int mostTasks) {
        try (PreparedStatement statement = connection().prepareStatement(COLUMNS + rest)) {
            for (int i = 0; i < values.size(); i++) {
                Upsert.bind(statement, dialect, i + 1, values.get(i));
            }
            var rows = new LinkedHashMap<RunRow.Key, RunRow>();
            int tasks = 0;
            try (ResultSet row = statement.executeQuery()) {
                while (row.next() && tasks++ < mostTasks) {
                    add(row, rows);
                }
            }
            return new Page(List.copyOf(rows.values()), tasks > mostTasks);
        } catch (SQLException e) {
            drop();
            throw StoreException.broken("looking for runs", e);
        }
    }

    /// Tasks of one run on one node are one row.
    private void add(ResultSet row, Map<RunRow.Key, RunRow> rows) throws SQLException {
        JobId job = JobId.parse(row.getString(2));
        if (job == null) {
            return;
        }
        var key = new RunRow.Key(job, attempt(row.getString(1)), new NodeId(row.getString(4)));
        long gpus = gpus(row.getString(5));
        RunRow before = rows.get(key);
        rows.put(
                key,
                before != null
                        ? before.with(gpus)
                        : new RunRow(
                                key,
                                Objects.requireNonNullElse(row.getString(9), ""),
                                new TenantId(row.getString(3)),
                                gpus,
                                Objects.requireNonNull(time(row, 6)),
                                time(row, 7),
                                row.getString(8)));
    }

    /// The second number of `alloc-7.2.0`.
    private static int attempt(String id) {
        String[] parts = id.split("\\.");
        return parts.length == 3 && parts[1].matches("[0-9]{1,9}") ? Integer.parseInt(parts[1]) : 0;
    }

    private static long gpus(String ids) {
        long mask = 0;
        Matcher matcher = GPU.matcher(ids);
        while (matcher.find()) {
            mask |= 1L << Integer.parseInt(matcher.group(1));
        }
        return mask;
    }

    private @Nullable Instant time(ResultSet row, int column) throws SQLException {
        if (row.getObject(column) == null) {
            return null;
        }
        return dialect == Dialect.SQLITE
                ? Instant.parse(row.getString(column))
                : row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private Connection connection() throws SQLException {
        Connection present = connection;
        if (present == null) {
            present = Dialect.connectReading(database, Tables.FILE);
            connection = present;
        }
        return present;
    }

    /// The next call opens a new connection.
    private void drop() {
        Connection present = connection;
        connection = null;
        try {
            if (present != null) {
                present.close();
            }
        } catch (SQLException e) {
            throw StoreException.broken("closing the runs", e);
        }
    }

    @Override
    public synchronized void close() {
        drop();
    }
}
