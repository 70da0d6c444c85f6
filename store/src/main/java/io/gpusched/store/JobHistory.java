package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.wire.codec.BatchCodec;
import io.gpusched.wire.codec.JobCodec;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Looks up jobs of any age, also those that the cluster state has dropped, as far as the [Tables]
/// are up to date. Any thread may call it; calls are serialised.
public final class JobHistory implements AutoCloseable {
    private static final int READ_AT_ONCE = 64;

    private final Database database;
    private final JobCodec jobs = JobCodec.create();
    private final BatchCodec batches = new BatchCodec();
    private @Nullable Connection tables;
    private @Nullable JournalReader journal;

    /// Selects jobs.
    ///
    /// @param tenant null for all
    /// @param state as the public API spells it; null for all
    /// @param before only jobs with smaller numbers; 0 for the newest
    public record Query(@Nullable TenantId tenant, @Nullable String state, long before, int most) {}

    /// The history of a database whose tables have been opened before.
    public JobHistory(Database database) {
        this.database = database;
    }

    /// The current or last state of the job; null if it never existed or the tables lag behind.
    public synchronized @Nullable Job find(JobId id) {
        List<Job> found = query("WHERE number = ?", List.of(id.number()));
        return found.isEmpty() ? null : found.getFirst();
    }

    /// Newest first.
    public synchronized List<Job> list(Query query) {
        var values = new ArrayList<Object>();
        String where = where(query, values);
        if (query.before() > 0) {
            where += " AND number < ?";
            values.add(query.before());
        }
        values.add(query.most());
        return query(where + " ORDER BY number DESC LIMIT ?", values);
    }

    /// How many jobs match, regardless of `before` and `most`.
    public synchronized long count(Query query) {
        var values = new ArrayList<Object>();
        String sql = "SELECT count(*) FROM jobs " + where(query, values);
        try (PreparedStatement statement = prepared(sql, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getLong(1) : 0;
        } catch (SQLException e) {
            throw failed("counting jobs", e);
        }
    }

    /// The events of the job, oldest first, as far back as the journal goes.
    public synchronized List<Event> events(JobId id) {
        var events = new ArrayList<Event>();
        String sql = "SELECT batch FROM job_batches WHERE job = ? AND batch >= ? ORDER BY batch";
        JournalReader reader = journal();
        try (PreparedStatement statement = prepared(sql, List.of(id.number(), reader.base()));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                reader.read(row.getLong(1) - 1, 1, batch -> collect(batch, id, events));
            }
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.PRUNED) {
                throw e;
            }
            return events(id); // It was deleted just now; the journal begins later.
        } catch (SQLException e) {
            throw failed("reading the events of " + id, e);
        }
        return events;
    }

    /// The submission of the job, searched in the journal after batch `after`, for jobs that the
    /// tables do not contain yet. Null if it is not found.
    public synchronized Event.@Nullable JobSubmitted submitted(JobId id, long after) {
        var found = new ArrayList<Event.JobSubmitted>();
        JournalReader reader = journal();
        long from = after;
        long last = read(reader, from, id, found);
        while (found.isEmpty() && last > from) {
            from = last;
            last = read(reader, from, id, found);
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private static long read(
            JournalReader reader, long after, JobId id, List<Event.JobSubmitted> into) {
        return reader.read(
                after,
                READ_AT_ONCE,
                batch -> {
                    for (Event event : batch.facts()) {
                        if (event instanceof Event.JobSubmitted e && e.job().equals(id)) {
                            into.add(e);
                        }
                    }
                });
    }

    private static void collect(Batch batch, JobId id, List<Event> into) {
        for (var part : List.of(batch.facts(), batch.decided())) {
            for (Event event : part) {
                if (id.equals(JobFold.about(event))) {
                    into.add(event);
                }
            }
        }
    }

    private static String where(Query query, List<Object> values) {
        var where = new StringBuilder("WHERE 1 = 1");
        if (query.tenant() != null) {
            where.append(" AND tenant_id = ?");
            values.add(query.tenant().name());
        }
        if (query.state() != null) {
            where.append(" AND state = ?");
            values.add(query.state());
        }
        return where.toString();
    }

    private List<Job> query(String rest, List<?> values) {
        try (PreparedStatement statement = prepared("SELECT body FROM jobs " + rest, values);
                ResultSet row = statement.executeQuery()) {
            var found = new ArrayList<Job>();
            while (row.next()) {
                found.add(jobs.decode(row.getBytes(1)));
            }
            return found;
        } catch (SQLException e) {
            throw failed("looking for jobs", e);
        }
    }

    private PreparedStatement prepared(String sql, List<?> values) throws SQLException {
        Connection present = tables;
        if (present == null) {
            present = Dialect.connectReading(database, Tables.FILE);
            tables = present;
        }
        PreparedStatement statement = present.prepareStatement(sql);
        for (int i = 0; i < values.size(); i++) {
            Upsert.bind(statement, Dialect.of(database), i + 1, values.get(i));
        }
        return statement;
    }

    private JournalReader journal() {
        JournalReader present = journal;
        if (present == null) {
            present = JournalReader.open(database, batches);
            journal = present;
        }
        return present;
    }

    /// The next call opens a new connection.
    private StoreException failed(String doing, SQLException e) {
        close();
        return StoreException.broken(doing, e);
    }

    @Override
    public synchronized void close() {
        Connection present = tables;
        JournalReader reader = journal;
        tables = null;
        journal = null;
        try {
            if (reader != null) {
                reader.close();
            }
            if (present != null) {
                present.close();
            }
        } catch (SQLException e) {
            throw StoreException.broken("closing the history", e);
        }
    }
}
