package io.gpusched.store;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.event.Batch;
import io.gpusched.wire.codec.BatchCodec;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The journal in a database. One process has it open for writing; a second one is refused.
///
/// An append is one statement that moves the head from n-1 to n in our term and inserts row n, or
/// does nothing. So a scheduler that has been replaced writes nothing, even if it does not know
/// that yet. If the answer to an append is lost, the row is looked up before a retry. Temporary
/// errors (database restarting, disk full, network down) are retried as long as they last and
/// reported to [StoreHealth].
///
/// `append`, `raiseTerm` and `close` may come from different threads and are serialised. Readers
/// have their own connections and never wait for a write.
public final class SqlJournal implements Journal, AutoCloseable {
    /// The first delay after a temporary error; it doubles up to the longest.
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Database database;
    private final Dialect dialect;
    private final StoreHealth health;
    private final StoreOwner storeOwner;
    private final @Nullable FolderLock lock;
    private @Nullable JournalPlace place;
    private final BatchCodec codec = new BatchCodec();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable JournalLink link;
    private long term;
    private volatile long head;
    private volatile long oursAt = System.nanoTime();

    private SqlJournal(
            Database database,
            StoreHealth health,
            StoreOwner storeOwner,
            @Nullable FolderLock lock) {
        this.database = database;
        this.dialect = Dialect.of(database);
        this.health = health;
        this.storeOwner = storeOwner;
        this.lock = lock;
    }

    /// Opens the journal for writing and creates it if there is none. Throws [StoreException] of
    /// kind `LOCKED` with the owner if another process has it open.
    public static SqlJournal open(Database database, StoreHealth health) {
        StoreOwner storeOwner = StoreOwner.self();
        FolderLock lock =
                switch (database) {
                    case Database.Sqlite sqlite -> FolderLock.take(sqlite.folder(), storeOwner);
                    case Database.Postgres _ -> null;
                };
        var journal = new SqlJournal(database, health, storeOwner, lock);
        try {
            var link = JournalLink.open(database, health);
            journal.link = link;
            link.own(storeOwner);
            journal.place = JournalPlace.of(database);
            var head = link.head();
            journal.term = head.term();
            journal.head = head.number();
            return journal;
        } catch (SQLException e) {
            journal.close();
            throw StoreException.broken("opening the journal in " + database, e);
        } catch (StoreException e) {
            journal.close();
            throw e;
        }
    }

    /// The number of the newest durable batch; 0 if there is none.
    public long head() {
        return head;
    }

    /// The term in which batches are accepted.
    public synchronized long term() {
        return term;
    }

    public Database database() {
        return database;
    }

    /// Starts a new term: from now on only batches of the returned term are accepted.
    public long raiseTerm() {
        return raiseTerm(1);
    }

    /// The same, with a term of at least `atLeast`. Agents that have met a scheduler with another
    /// journal, lost or newer than the restored backup, ignore lower terms.
    public synchronized long raiseTerm(long atLeast) {
        term =
                retrying(
                        "raising the term",
                        link -> {
                            long began = System.nanoTime();
                            long raised = link.raiseTerm(atLeast);
                            oursAt = began;
                            return raised;
                        });
        return term;
    }

    /// Checks that this process still owns the journal; retries temporary errors like an append.
    /// Throws [StoreException] of kind `FENCED` if another scheduler has taken over.
    public synchronized void look() {
        retrying(
                "checking the ownership of the journal",
                link -> {
                    long began = System.nanoTime();
                    var found = link.head();
                    if (found.term() != term || !found.owner().equals(storeOwner.name())) {
                        throw new StoreException(
                                StoreException.Kind.FENCED,
                                "expected a journal of term %s, found term %s; it now belongs to %s"
                                        .formatted(term, found.term(), found.owner()));
                    }
                    checkPlace();
                    oursAt = began;
                    return true;
                });
    }

    private void checkPlace() {
        JournalPlace known = place;
        if (known != null) {
            known.check();
        }
    }

    /// The latest `System.nanoTime` at which this process certainly owned the journal.
    public long oursAt() {
        return oursAt;
    }

    @Override
    public synchronized void append(Batch batch, Runnable durable) {
        if (batch.number() != head + 1 || batch.term() != term) {
            throw refused(batch, term, head);
        }
        JournalRow journalRow = JournalRow.of(batch, codec);
        boolean[] doubtful = {false};
        retrying(
                "writing batch " + batch.number(),
                link -> {
                    boolean repeated = doubtful[0];
                    doubtful[0] = true;
                    if (repeated && isThere(link, journalRow)) {
                        return true;
                    }
                    long began = System.nanoTime();
                    if (!link.append(journalRow)) {
                        var found = link.head();
                        throw refused(batch, found.term(), found.number());
                    }
                    oursAt = began;
                    return true;
                });
        // A file without a name is written without an error, and gone with this process.
        checkPlace();
        head = batch.number();
        durable.run();
    }

    private static boolean isThere(JournalLink link, JournalRow journalRow) throws SQLException {
        JournalRow stored = link.row(journalRow.number());
        return stored != null && stored.sameAs(journalRow);
    }

    /// Passes every batch after `after` up to the current head to `into`. A damaged or missing
    /// batch stops it with an error; nothing is skipped.
    @Override
    public void replay(long after, Consumer<Batch> into) {
        long upTo = head;
        try (var reader = JournalReader.open(database, codec)) {
            long last = reader.read(after, Math.max(0, upTo - after), into);
            if (last < upTo) {
                throw JournalReader.missing(last + 1);
            }
        }
    }

    /// Makes the journal begin with a snapshot and deletes the batches before it; returns their
    /// number. Appends continue meanwhile. Throws [StoreException] of kind `FENCED` if another
    /// scheduler has taken over.
    public long prune(Snapshot snapshot) {
        try (var connection = Dialect.connect(database, JournalLink.FILE)) {
            var base = new JournalOrigin(connection);
            if (!base.begin(snapshot, term())) {
                throw new StoreException(
                        StoreException.Kind.FENCED,
                        "the journal of term %s cannot begin after batch %s: it already begins later, or belongs to another scheduler"
                                .formatted(term(), snapshot.image().batch()));
            }
            return base.deleteBefore();
        } catch (SQLException e) {
            throw StoreException.broken("pruning the journal in " + database, e);
        }
    }

    /// A reader of this journal with its own connection.
    public JournalReader reader() {
        return JournalReader.open(database, codec);
    }

    /// Copies the durable batches into a file while appends continue; see [Backup].
    public long backup(Path file) {
        return Backup.make(database, file);
    }

    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            drop();
            if (lock != null) {
                lock.close();
            }
        }
    }

    private interface Work<T> {
        T on(JournalLink link) throws SQLException;
    }

    /// Runs the work and retries it after temporary errors.
    private <T> T retrying(String doing, Work<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                T done = work.on(linked());
                if (tries > 1) {
                    health.resumed();
                }
                return done;
            } catch (SQLException e) {
                drop();
                if (!dialect.passing(e)) {
                    throw StoreException.broken(doing, e);
                }
                health.paused(doing + ": " + e.getMessage(), tries);
                pause(doing, tries);
            }
        }
    }

    /// The connection, reopened after an error. On PostgreSQL the lock is lost with the connection;
    /// if another process has it by now, that one has taken over.
    private JournalLink linked() throws SQLException {
        if (closing.getCount() == 0) {
            throw new StoreException(StoreException.Kind.CLOSED, "the journal is closed");
        }
        JournalLink present = link;
        if (present == null) {
            present = relinked();
            link = present;
            String now = present.head().owner();
            if (!now.equals(storeOwner.name())) {
                throw new StoreException(
                        StoreException.Kind.FENCED, "the journal now belongs to " + now);
            }
        }
        return present;
    }

    /// After a network failure the database may not know yet that our old connection is gone.
    private JournalLink relinked() throws SQLException {
        try {
            return JournalLink.open(database, health);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED && e.holder().equals(storeOwner.name())) {
                throw new SQLException("our lost connection still holds the lock", "55P03", e);
            }
            throw e;
        }
    }

    private void drop() {
        JournalLink present = link;
        link = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException e) {
                health.warning("closing a connection to the journal: " + e.getMessage());
            }
        }
    }

    private void pause(String doing, int tries) {
        long millis =
                Math.min(
                        LONGEST_PAUSE.toMillis(),
                        SHORTEST_PAUSE.toMillis() << Math.min(tries - 1, 10));
        try {
            closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.CLOSED, "interrupted while " + doing, e);
        }
    }

    private static StoreException refused(Batch batch, long term, long head) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "expected batch %s of term %s, found batch %s of term %s: %s"
                        .formatted(
                                head + 1,
                                term,
                                batch.number(),
                                batch.term(),
                                batch.term() < term
                                        ? "another scheduler has taken over"
                                        : "the journal has another head"));
    }
}
