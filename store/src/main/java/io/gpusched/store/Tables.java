package io.gpusched.store;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.wire.codec.BatchCodec;
import io.gpusched.wire.codec.ImageCodec;
import io.gpusched.wire.codec.JobCodec;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Keeps SQL tables up to date with the journal: tenants, jobs, nodes, gpus, allocations, stats,
/// interference.
///
/// It reads the journal like any other reader, on its own thread and connections, and records in
/// the tables how far it is. So nothing waits for it, it may lag under load, and after a restart it
/// continues where it stopped. It sleeps four times as long as it works: however far behind, it
/// uses at most a fifth of a processor. On SQLite the tables are in a separate file beside the
/// journal, so that they never hold the lock that an append needs.
public final class Tables implements AutoCloseable {
    static final String FILE = "tables.db";

    private static final List<String> ALL =
            List.of(
                    "tenants",
                    "jobs",
                    "job_batches",
                    "nodes",
                    "gpus",
                    "allocations",
                    "stats",
                    "interference");

    private static final Duration SHORTEST_REST = Duration.ofMillis(100);
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);
    private static final int RESTS_PER_WORK = 4;
    private static final int BATCHES_AT_ONCE = 4;

    /// Changes per transaction; more would only use memory.
    private static final int ENOUGH = 10_000;

    private final Database database;
    private final Dialect dialect;
    private final LongSupplier head;
    private final StoreHealth health;
    private final BatchCodec batches = new BatchCodec();
    private final JobCodec jobs = JobCodec.create();
    private final ImageCodec images = ImageCodec.create();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Thread thread;
    private @Nullable Work work;
    private volatile long watermark;

    private Tables(Database database, LongSupplier head, StoreHealth health) {
        this.database = database;
        this.dialect = Dialect.of(database);
        this.head = head;
        this.health = health;
    }

    /// Opens the tables beside a journal and creates them if there are none. A damaged file is
    /// renamed and the tables are rebuilt, because the journal has all the data.
    public static Tables open(SqlJournal journal, StoreHealth health) {
        var tables = new Tables(journal.database(), journal::head, health);
        try {
            tables.openAndClose();
        } catch (SQLException e) {
            tables.setAsideIfDamaged(e);
            try {
                tables.openAndClose();
            } catch (SQLException again) {
                throw StoreException.broken("opening the tables in " + journal.database(), again);
            }
        }
        return tables;
    }

    private void openAndClose() throws SQLException {
        work().close();
        work = null;
    }

    private void setAsideIfDamaged(SQLException e) {
        if (database instanceof Database.Sqlite sqlite && dialect.damaged(e)) {
            Path moved = SetAsideFiles.move(sqlite.folder().resolve(FILE), "damaged");
            for (String companion : List.of("-wal", "-shm")) {
                Path file = sqlite.folder().resolve(FILE + companion);
                if (Files.exists(file)) {
                    SetAsideFiles.move(file, "damaged");
                }
            }
            watermark = 0;
            health.warning(
                    "the tables were damaged (%s) and are now in %s; they are rebuilt from the journal"
                            .formatted(e.getMessage(), moved));
        }
    }

    /// Follows the journal from now on, on its own thread.
    public synchronized void start() {
        thread = Thread.ofPlatform().name("tables").daemon().start(this::follow);
    }

    /// The newest batch in the tables.
    public long watermark() {
        return watermark;
    }

    /// Updates the tables to the current end of the journal, for callers that did not [#start] it.
    public void catchUp() {
        try {
            while (watermark < head.getAsLong()) {
                step();
            }
        } catch (SQLException e) {
            drop();
            throw StoreException.broken("bringing the tables up to date", e);
        }
    }

    /// Deletes jobs that ended before this time, with their allocations, after writing them to a
    /// file in `archive`; returns their number. See [JobArchive].
    public synchronized long prune(Instant endedBefore, Path archive) {
        try {
            return new JobArchive(work().connection, dialect).move(endedBefore, archive);
        } catch (SQLException e) {
            drop();
            throw StoreException.broken("deleting old jobs from the tables", e);
        }
    }

    /// Nodes that are unreachable and have not reported since this time.
    public synchronized List<NodeId> silentSince(Instant time) {
        try (PreparedStatement query =
                work().connection
                        .prepareStatement(
                                "SELECT id FROM nodes WHERE NOT online AND updated_at < ?")) {
            Upsert.bind(query, dialect, 1, time);
            var silent = new ArrayList<NodeId>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    silent.add(new NodeId(row.getString(1)));
                }
            }
            work().connection.commit();
            return silent;
        } catch (SQLException e) {
            drop();
            throw StoreException.broken("looking for unreachable nodes", e);
        }
    }

    private void follow() {
        Duration rest = SHORTEST_REST;
        while (closing.getCount() > 0) {
            long began = System.nanoTime();
            try {
                if (watermark < head.getAsLong()) {
                    step();
                }
                rest = Duration.ofNanos((System.nanoTime() - began) * RESTS_PER_WORK);
            } catch (SQLException | RuntimeException e) {
                drop();
                health.warning("the tables are not up to date: " + e.getMessage());
                if (e instanceof SQLException sql) {
                    setAsideIfDamaged(sql);
                }
                rest = LONGEST_REST;
            }
            rest(rest);
        }
    }

    private void rest(Duration wanted) {
        long millis =
                Math.clamp(wanted.toMillis(), SHORTEST_REST.toMillis(), LONGEST_REST.toMillis());
        try {
            closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            closing.countDown();
        }
    }

    private synchronized void step() throws SQLException {
        Work at = work();
        at.step(watermark);
        watermark = at.batch;
    }

    private synchronized Work work() throws SQLException {
        Work present = work;
        if (present == null) {
            present = new Work();
            work = present;
            watermark = present.batch;
        }
        return present;
    }

    private synchronized void drop() {
        Work present = work;
        work = null;
        if (present != null) {
            try {
                present.close();
            } catch (SQLException | StoreException e) {
                health.warning("closing a connection to the tables: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        Thread running = thread;
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        drop();
    }

    /// The state that is discarded and read again after an error.
    private final class Work implements AutoCloseable {
        final Connection connection;
        final JournalReader journal;
        final Projection projection = new Projection(this::stored);
        final TableWriter writer;
        long batch;

        Work() throws SQLException {
            connection = Dialect.connectRelaxed(database, FILE);
            try {
                new Migrations(dialect, "tables").run(connection);
                connection.setAutoCommit(false);
                journal = JournalReader.open(database, batches);
                writer = new TableWriter(connection, dialect, jobs, images);
                resume();
            } catch (SQLException | RuntimeException e) {
                connection.close();
                throw e;
            }
        }

        void step(long after) throws SQLException {
            long last = after;
            long read;
            do {
                read = last;
                last = journal.read(read, BATCHES_AT_ONCE, projection::apply);
            } while (last > read && projection.size() < ENOUGH);
            if (last > after) {
                writer.write(projection, last);
                connection.commit();
                projection.flushed();
                batch = last;
            }
        }

        private void resume() throws SQLException {
            read("SELECT batch FROM projected", row -> batch = row.getLong(1));
            if (batch > head.getAsLong()) {
                health.warning(
                        "the tables are ahead of the journal, as after a restored backup; they are"
                                + " rebuilt");
                empty();
            }
            Snapshot beginning = batch < journal.base() ? journal.beginning() : null;
            if (beginning != null) {
                begin(beginning);
            }
            read(
                    "SELECT body, created_at, updated_at FROM tenants",
                    row -> {
                        var image = images.tenant(row.getBytes(1));
                        projection.tenants.put(
                                image.tenant().id(),
                                new TenantTableRow(
                                        image.tenant(),
                                        image.totals(),
                                        time(row, 2),
                                        time(row, 3)));
                    });
            read(
                    "SELECT body, created_at, updated_at FROM nodes",
                    row -> {
                        var image = images.node(row.getBytes(1));
                        projection.nodes.put(
                                image.node().id(),
                                NodeTableRow.of(image, time(row, 2), time(row, 3)));
                    });
            read(
                    "SELECT body FROM jobs WHERE state IN ('scheduled', 'running')",
                    row -> projection.resume(jobs.decode(row.getBytes(1))));
            projection.flushed();
            connection.commit();
        }

        /// Fills the tables from the journal's first snapshot if the tables lack batches before it.
        /// Jobs that had been dropped by then are in the archive only.
        private void begin(Snapshot beginning) throws SQLException {
            empty();
            var first = new Projection(this::stored);
            first.begin(beginning);
            long at = beginning.image().batch();
            writer.write(first, at);
            connection.commit();
            batch = at;
        }

        private void empty() throws SQLException {
            try (var sql = connection.createStatement()) {
                for (String table : ALL) {
                    sql.executeUpdate("DELETE FROM " + table);
                }
                RunStats.empty(connection);
                sql.executeUpdate("UPDATE projected SET batch = 0");
            }
            connection.commit();
            batch = 0;
        }

        private Job stored(JobId id) {
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT body FROM jobs WHERE number = ?")) {
                query.setLong(1, id.number());
                try (ResultSet row = query.executeQuery()) {
                    if (row.next()) {
                        return jobs.decode(row.getBytes(1));
                    }
                }
            } catch (SQLException e) {
                throw StoreException.broken("reading " + id, e);
            }
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "the tables do not contain %s; delete them, they are rebuilt from the journal"
                            .formatted(id));
        }

        private void read(String sql, Reading reading) throws SQLException {
            try (var query = connection.createStatement();
                    ResultSet row = query.executeQuery(sql)) {
                while (row.next()) {
                    reading.row(row);
                }
            }
        }

        private Instant time(ResultSet row, int column) throws SQLException {
            return dialect == Dialect.SQLITE
                    ? Instant.parse(row.getString(column))
                    : row.getObject(column, OffsetDateTime.class).toInstant();
        }

        @Override
        public void close() throws SQLException {
            journal.close();
            connection.close();
        }
    }

    private interface Reading {
        void row(ResultSet row) throws SQLException;
    }
}
