package io.gpusched.store;

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
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Looks up jobs of any age, also those that the cluster state has dropped, as far as the [Tables]
/// are up to date. Any thread may call it. Calls that read the tables are serialised, and so are
/// calls that read the journal. The two use different connections: reading the long history of one
/// job does not delay a list.
public final class JobHistory implements AutoCloseable {
    private static final int READ_AT_ONCE = 64;
    private static final int LOOKED_UP_AT_ONCE = 500;

    private final Database database;
    private final JobCodec jobs = JobCodec.create();
    private final BatchCodec batches = new BatchCodec();
    private @Nullable Connection tables;

    /// The lock of the connections that read the journal.
    private final Object reading = new Object();

    private @Nullable Connection index;
    private @Nullable JournalReader journal;

    /// Selects jobs.
    ///
    /// @param tenant null for all
    /// @param states as the public API spells them; empty for all
    /// @param before only jobs with smaller numbers; 0 for the newest
    public record Query(@Nullable TenantId tenant, List<String> states, long before, int most) {
        public Query {
            states = List.copyOf(states);
        }
    }

    /// The history of a database whose tables have been opened before.
    public JobHistory(Database database) {
        this.database = database;
    }

    /// The current or last state of the job; null if it never existed or the tables lag behind.
    public synchronized @Nullable Job find(JobId id) {
        List<Job> found = query("WHERE number = ?", List.of(id.number()));
        return found.isEmpty() ? null : found.getFirst();
    }

    /// The tenants of these jobs; jobs that the tables do not contain are left out.
    public synchronized Map<JobId, TenantId> tenants(Collection<JobId> ids) {
        var tenants = new HashMap<JobId, TenantId>();
        List<JobId> all = List.copyOf(ids);
        for (int from = 0; from < all.size(); from += LOOKED_UP_AT_ONCE) {
            addTenants(all.subList(from, Math.min(all.size(), from + LOOKED_UP_AT_ONCE)), tenants);
        }
        return tenants;
    }

    private void addTenants(List<JobId> ids, Map<JobId, TenantId> into) {
        String marks = String.join(", ", Collections.nCopies(ids.size(), "?"));
        String sql = "SELECT number, tenant_id FROM jobs WHERE number IN (" + marks + ")";
        try (PreparedStatement statement = prepared(sql, ids.stream().map(JobId::number).toList());
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                into.put(new JobId(row.getLong(1)), new TenantId(row.getString(2)));
            }
        } catch (SQLException e) {
            throw failed("looking for the tenants of jobs", e);
        }
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
    public List<Event> events(JobId id) {
        synchronized (reading) {
            var events = new ArrayList<Event>();
            JournalReader reader = journal();
            try {
                for (long batch : batchesOf(id, reader.base())) {
                    events.addAll(reader.eventsOf(id, batch));
                }
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.PRUNED) {
                    throw broken(e);
                }
                return events(id); // It was deleted just now; the journal begins later.
            } catch (SQLException e) {
                throw broken(StoreException.broken("reading the events of " + id, e));
            }
            return events;
        }
    }

    private List<Long> batchesOf(JobId id, long from) throws SQLException {
        Connection present = index;
        if (present == null) {
            present = Dialect.connectReading(database, Tables.FILE);
            index = present;
        }
        String sql = "SELECT batch FROM job_batches WHERE job = ? AND batch >= ? ORDER BY batch";
        var batches = new ArrayList<Long>();
        try (PreparedStatement statement = present.prepareStatement(sql)) {
            statement.setLong(1, id.number());
            statement.setLong(2, from);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    batches.add(row.getLong(1));
                }
            }
        }
        return batches;
    }

    /// The submission of the job, searched in the journal after batch `after`, for jobs that the
    /// tables do not contain yet. Null if it is not found.
    public Event.@Nullable JobSubmitted submitted(JobId id, long after) {
        synchronized (reading) {
            var found = new ArrayList<Event.JobSubmitted>();
            JournalReader reader = journal();
            try {
                long from = after;
                long last = read(reader, from, id, found);
                while (found.isEmpty() && last > from) {
                    from = last;
                    last = read(reader, from, id, found);
                }
            } catch (StoreException e) {
                throw broken(e);
            }
            return found.isEmpty() ? null : found.getFirst();
        }
    }

    /// Reads some batches, and returns the number of the last.
    private long read(JournalReader reader, long after, JobId id, List<Event.JobSubmitted> into) {
        long[] last = {after};
        reader.rows(
                after,
                READ_AT_ONCE,
                row -> {
                    last[0] = row.number();
                    for (Event event : row.eventsOf(id, batches)) {
                        if (event instanceof Event.JobSubmitted submitted) {
                            into.add(submitted);
                        }
                    }
                });
        return last[0];
    }

    private static String where(Query query, List<Object> values) {
        var where = new StringBuilder("WHERE 1 = 1");
        if (query.tenant() != null) {
            where.append(" AND tenant_id = ?");
            values.add(query.tenant().name());
        }
        if (!query.states().isEmpty()) {
            String marks = String.join(", ", Collections.nCopies(query.states().size(), "?"));
            where.append(" AND state IN (").append(marks).append(')');
            values.addAll(query.states());
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
        Connection present = tables;
        tables = null;
        close(present);
        return StoreException.broken(doing, e);
    }

    /// The next call that reads the journal opens new connections. The connections may be lost
    /// already, so a failure to close them does not hide the first failure.
    private StoreException broken(StoreException first) {
        try {
            closeReading();
        } catch (StoreException e) {
            first.addSuppressed(e);
        }
        return first;
    }

    @Override
    public void close() {
        synchronized (this) {
            Connection present = tables;
            tables = null;
            close(present);
        }
        closeReading();
    }

    private void closeReading() {
        synchronized (reading) {
            Connection present = index;
            JournalReader reader = journal;
            index = null;
            journal = null;
            if (reader != null) {
                reader.close();
            }
            close(present);
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            throw StoreException.broken("closing the history", e);
        }
    }
}
