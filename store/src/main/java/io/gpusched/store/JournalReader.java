package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.wire.codec.BatchCodec;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Reads a journal while another process may write it. It takes no lock and changes nothing. Each
/// reader has its own connection and belongs to one thread.
public final class JournalReader implements AutoCloseable {
    static final String COLUMNS = "SELECT number, term, at, body, digest, checksum FROM batches";

    static final String INSERT =
            """
            INSERT INTO batches (number, term, at, body, digest, checksum)
            VALUES (?, ?, ?, ?, ?, ?)
            """;

    private static final int FETCHED_AT_ONCE = 64;

    private final Connection connection;
    private final BatchCodec codec;

    JournalReader(Connection connection, BatchCodec codec) {
        this.connection = connection;
        this.codec = codec;
    }

    /// Opens the journal of a database that a server has opened before.
    public static JournalReader open(Database database) {
        return open(database, new BatchCodec());
    }

    static JournalReader open(Database database, BatchCodec codec) {
        try {
            return new JournalReader(connect(database), codec);
        } catch (SQLException e) {
            throw StoreException.broken("opening the journal in " + database, e);
        }
    }

    /// PostgreSQL streams rows only inside a transaction; SQLite needs none.
    private static Connection connect(Database database) throws SQLException {
        Connection connection = Dialect.connectReading(database, JournalLink.FILE);
        if (database instanceof Database.Postgres) {
            connection.setAutoCommit(false);
        }
        return connection;
    }

    /// Passes every batch after number `after` to `into`, in order, and returns the last number.
    public long read(long after, Consumer<Batch> into) {
        return read(after, Long.MAX_VALUE, into);
    }

    /// The same for at most `most` batches.
    public long read(long after, long most, Consumer<Batch> into) {
        long[] last = {after};
        rows(
                after,
                most,
                journalRow -> {
                    into.accept(journalRow.batch(codec));
                    last[0] = journalRow.number();
                });
        return last[0];
    }

    /// The same, until `into` answers false: it has enough. Returns the number of the batch after
    /// which it had.
    public long readWhile(long after, long most, Predicate<Batch> into) {
        long[] last = {after};
        rowsWhile(
                after,
                most,
                journalRow -> {
                    last[0] = journalRow.number();
                    return into.test(journalRow.batch(codec));
                });
        return last[0];
    }

    /// The events of batch `number` that concern the job.
    List<Event> eventsOf(JobId job, long number) {
        var events = new ArrayList<Event>();
        rows(number - 1, 1, row -> events.addAll(row.eventsOf(job, codec)));
        return events;
    }

    /// The digest of the cluster state after a batch; null if there is no such batch.
    public @Nullable Long digest(long number) {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT digest FROM batches WHERE number = ?")) {
            query.setLong(1, number);
            @Nullable Long digest;
            try (ResultSet found = query.executeQuery()) {
                digest = found.next() ? found.getLong(1) : null;
            }
            settle();
            return digest;
        } catch (SQLException e) {
            throw StoreException.broken("reading batch " + number + " of the journal", e);
        }
    }

    /// The batch after which the journal begins: 0, or the last one that was pruned.
    public long base() {
        try {
            long batch = JournalOrigin.batch(connection);
            settle();
            return batch;
        } catch (SQLException e) {
            throw StoreException.broken("reading where the journal begins", e);
        }
    }

    /// The snapshot after batch [#base]; null if nothing was pruned.
    public @Nullable Snapshot beginning() {
        try {
            Snapshot snapshot = JournalOrigin.read(connection);
            settle();
            return snapshot;
        } catch (SQLException e) {
            throw StoreException.broken("reading the beginning of the journal", e);
        }
    }

    Connection connection() {
        return connection;
    }

    /// The number of the newest batch; 0 if there is none.
    public long head() {
        return cell().number();
    }

    JournalLink.Head cell() {
        try {
            var head = JournalLink.head(connection);
            settle();
            return head;
        } catch (SQLException e) {
            throw StoreException.broken("reading the journal's head", e);
        }
    }

    /// Passes on the rows unchecked; gaps are refused.
    void rows(long after, long most, Consumer<JournalRow> into) {
        rowsWhile(
                after,
                most,
                row -> {
                    into.accept(row);
                    return true;
                });
    }

    private void rowsWhile(long after, long most, Predicate<JournalRow> into) {
        String sql = COLUMNS + " WHERE number > ? ORDER BY number LIMIT ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            query.setFetchSize(FETCHED_AT_ONCE);
            query.setLong(1, after);
            query.setLong(2, most);
            long last = after;
            boolean goesOn = true;
            try (ResultSet found = query.executeQuery()) {
                while (goesOn && found.next()) {
                    JournalRow journalRow = row(found);
                    if (journalRow.number() != last + 1) {
                        throw missing(
                                last + 1, last == after ? JournalOrigin.batch(connection) : 0);
                    }
                    goesOn = into.test(journalRow);
                    last = journalRow.number();
                }
            }
            settle();
        } catch (SQLException e) {
            throw StoreException.broken("reading the journal after batch " + after, e);
        }
    }

    /// Ends PostgreSQL's transaction, so that the next read sees the current state.
    private void settle() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    private static StoreException missing(long number, long base) {
        return number > base
                ? missing(number)
                : new StoreException(
                        StoreException.Kind.PRUNED,
                        "batch %s was deleted (retention.journal_days): the journal begins after batch %s, and older batches are in the archive"
                                .formatted(number, base));
    }

    static StoreException missing(long number) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "batch " + number + " of the journal is missing; restore a backup that has it");
    }

    static JournalRow row(ResultSet found) throws SQLException {
        return new JournalRow(
                found.getLong(1),
                found.getLong(2),
                found.getLong(3),
                found.getBytes(4),
                found.getLong(5),
                found.getLong(6));
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw StoreException.broken("closing the journal", e);
        }
    }
}
