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
/// does nothing. So a scheduler that has lost its charge writes nothing, whatever it still
/// believes. When the answer to an append is lost, the row is looked up before it is tried again.
/// Errors that pass by themselves (database restarting, disk full, line down) are waited for as
/// long as they last, and [StoreHealth] hears of it.
///
/// `append`, `raiseTerm` and `close` may come from different threads, one at a time is done;
/// readers have their own connections and never wait for a write.
public final class SqlJournal implements Journal, AutoCloseable {
    /// The first pause after an error that passes; each one doubles up to the longest.
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

    /// Opens the journal for writing, making it where there is none. Throws [StoreException] of
    /// kind `LOCKED`, naming who has it, when another process does.
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

    /// The number of the newest durable batch; 0 when there is none.
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

    /// Takes charge: from now on only batches of the returned term are accepted, from anybody.
    public long raiseTerm() {
        return raiseTerm(1);
    }

    /// The same, with a term of at least so much. Whoever has met a scheduler over another journal,
    /// lost or newer than the backup this one was restored from, obeys nobody with a lower term.
    public synchronized long raiseTerm(long atLeast) {
        term =
                patiently(
                        "raising the term",
                        link -> {
                            long began = System.nanoTime();
                            long raised = link.raiseTerm(atLeast);
                            oursAt = began;
                            return raised;
                        });
        return term;
    }

    /// Looks whether the journal is still ours, waiting like an append while nothing can be
    /// written. Throws [StoreException] of kind `FENCED` when somebody else has taken charge.
    public synchronized void look() {
        patiently(
                "looking after the journal",
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

    /// The newest moment, in `System.nanoTime`, at which the journal surely was ours.
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
        patiently(
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

    /// Hands every batch after `after` up to the present head to `into`. A damaged or missing one
    /// stops it, by name; nothing is skipped.
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

    /// Lets the journal begin with a snapshot of it, and deletes the batches before; returns how
    /// many. Appends go on meanwhile. Throws [StoreException] of kind `FENCED` when somebody else
    /// has taken charge.
    public long prune(Snapshot snapshot) {
        try (var connection = Dialect.connect(database, JournalLink.FILE)) {
            var base = new JournalOrigin(connection);
            if (!base.begin(snapshot, term())) {
                throw new StoreException(
                        StoreException.Kind.FENCED,
                        "the journal of term %s cannot begin after batch %s: it begins later already, or belongs to somebody else"
                                .formatted(term(), snapshot.image().batch()));
            }
            return base.deleteBefore();
        } catch (SQLException e) {
            throw StoreException.broken("pruning the journal in " + database, e);
        }
    }

    /// A reader of this journal with a connection of its own.
    public JournalReader reader() {
        return JournalReader.open(database, codec);
    }

    /// Copies what is durable now into a file, without stopping anybody; see [Backup].
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

    /// Does the work, again and again while the reason for its failure is one that passes.
    private <T> T patiently(String doing, Work<T> work) {
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

    /// The connection, made anew after an error. On PostgreSQL the lock is gone with the old one;
    /// if somebody else has it by now, they have taken charge.
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

    /// After a cut line the database may not know yet that our former connection is gone.
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
                                        ? "somebody else has taken charge"
                                        : "the journal is at another place"));
    }
}
