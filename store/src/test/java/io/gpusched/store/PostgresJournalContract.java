package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.wire.codec.BatchCodec;

import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The contract of a journal in PostgreSQL, for every release.
abstract class PostgresJournalContract extends SqlJournalContract {
    private final TestPostgres server;
    private final Database.Postgres schema;

    PostgresJournalContract(TestPostgres server) {
        this.server = server;
        this.schema = server.emptySchema();
    }

    @Override
    Database database() {
        return schema;
    }

    @Override
    List<String> spelled() {
        return List.of(schema.url(), schema.user(), schema.password());
    }

    @Test
    void aLostConnectionIsReplacedAndTheBatchIsWrittenOnce() throws SQLException {
        SqlJournal journal = journal();
        journal.append(Batches.batch(1, 1), () -> {});
        endAllConnections();
        journal.append(Batches.batch(2, 1), () -> {});
        assertThat(read(journal, 0)).containsExactly(Batches.batch(1, 1), Batches.batch(2, 1));
        assertThat(health.pauses).hasSize(1);
        assertThat(health.resumed).hasValue(1);
    }

    @Test
    void aBatchThatArrivedThoughItsAnswerDidNotIsNotWrittenAgain()
            throws SQLException, InterruptedException {
        SqlJournal journal = journal();
        // The statement waits for our lock on the cell, is killed, and meanwhile its row appears as
        // if it had been committed just before the line went down.
        try (var other = Dialect.connect(schema, "");
                var sql = other.createStatement()) {
            other.setAutoCommit(false);
            sql.execute("LOCK TABLE cell IN ACCESS EXCLUSIVE MODE");
            var durable = new CountDownLatch(1);
            Thread writer =
                    Thread.ofPlatform()
                            .start(() -> journal.append(Batches.batch(1, 1), durable::countDown));
            awaitBlocked(sql);
            var journalRow = JournalRow.of(Batches.batch(1, 1), new BatchCodec());
            try (var insert = other.prepareStatement(Dialect.POSTGRES.append)) {
                journalRow.bind(insert);
                insert.executeUpdate();
            }
            sql.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_locks
                    WHERE NOT granted AND relation = 'cell'::regclass
                    """);
            other.commit();
            writer.join();
            durable.await();
        }
        assertThat(read(journal, 0)).containsExactly(Batches.batch(1, 1));
        assertThat(health.resumed).hasValue(1);
    }

    @Test
    void commitsAreMadeToWaitForTheDisk() throws SQLException {
        change("ALTER ROLE " + schema.user() + " SET synchronous_commit TO off");
        try {
            SqlJournal journal = journal();
            assertThat(journal.head()).isZero();
            try (var link = JournalLink.open(server.emptySchema(), health);
                    var sql = link.connection().createStatement();
                    var row = sql.executeQuery("SHOW synchronous_commit")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("on");
            }
        } finally {
            change("ALTER ROLE " + schema.user() + " RESET synchronous_commit");
        }
    }

    @Test
    void bodiesAreNotCompressedASecondTime() throws SQLException {
        journal();
        try (var connection = Dialect.connect(schema, "");
                var sql = connection.createStatement();
                var row =
                        sql.executeQuery(
                                """
                                SELECT attstorage::text FROM pg_attribute
                                WHERE attrelid = 'batches'::regclass AND attname = 'body'
                                """)) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("e");
        }
    }

    private static void awaitBlocked(Statement sql) throws SQLException {
        while (true) {
            try (var row =
                    sql.executeQuery(
                            """
                            SELECT count(*) FROM pg_locks
                            WHERE NOT granted AND relation = 'cell'::regclass
                            """)) {
                row.next();
                if (row.getInt(1) > 0) {
                    return;
                }
            }
        }
    }

    private void endAllConnections() throws SQLException {
        try (var connection = Dialect.connect(schema, "");
                var sql = connection.createStatement()) {
            sql.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_locks
                    WHERE locktype = 'advisory' AND objid::integer = hashtext(current_schema())
                    """);
        }
    }
}
