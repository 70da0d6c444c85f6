package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// One connection that may write the journal. After any error it is closed and opened again.
final class JournalLink implements AutoCloseable {
    static final String FILE = "journal.db";

    /// First key of PostgreSQL's advisory lock on a cell; the second one is the schema.
    private static final int LOCK = 0x67707573;

    private static final String RAISE =
            """
            UPDATE cell SET term = CASE WHEN term < ? THEN ? ELSE term + 1 END RETURNING term
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    record Head(long term, long number, String owner) {}

    private final Connection connection;
    private final PreparedStatement append;
    private final boolean locked;

    private JournalLink(Connection connection, PreparedStatement append, boolean locked) {
        this.connection = connection;
        this.append = append;
        this.locked = locked;
    }

    /// Connects, takes the advisory lock on PostgreSQL, and migrates the schema.
    static JournalLink open(Database database, StoreHealth health) throws SQLException {
        Dialect dialect = Dialect.of(database);
        Connection connection = Dialect.connect(database, FILE);
        try {
            if (dialect == Dialect.POSTGRES) {
                PostgresVersion.check(connection.getMetaData());
                lock(connection, database.toString());
                askForDurability(connection, health);
            }
            new Migrations(dialect, "journal").run(connection);
            return new JournalLink(
                    connection,
                    connection.prepareStatement(dialect.append),
                    dialect == Dialect.POSTGRES);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /// Returns false, without any change, unless term and head match.
    boolean append(JournalRow journalRow) throws SQLException {
        journalRow.bind(append);
        return append.executeUpdate() == 1;
    }

    Head head() throws SQLException {
        return head(connection);
    }

    static Head head(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT term, head, holder FROM cell")) {
            if (!row.next()) {
                throw new StoreException(
                        StoreException.Kind.DAMAGED,
                        "expected one row in the journal's table cell, found none; restore a"
                                + " backup");
            }
            return new Head(row.getLong(1), row.getLong(2), row.getString(3));
        }
    }

    /// The stored row, unchecked; null if there is none.
    @Nullable JournalRow row(long number) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement(JournalReader.COLUMNS + " WHERE number = ?")) {
            sql.setLong(1, number);
            try (ResultSet found = sql.executeQuery()) {
                return found.next() ? JournalReader.row(found) : null;
            }
        }
    }

    void own(StoreOwner storeOwner) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("UPDATE cell SET holder = ?")) {
            sql.setString(1, storeOwner.name());
            sql.executeUpdate();
        }
    }

    /// Returns the new term, which is unique in this journal.
    long raiseTerm(long atLeast) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(RAISE)) {
            sql.setLong(1, atLeast);
            sql.setLong(2, atLeast);
            try (ResultSet row = sql.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    Connection connection() {
        return connection;
    }

    /// After a process is killed, it takes the database a moment to release its lock.
    private static void lock(Connection connection, String what) throws SQLException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!callLock(connection, "pg_try_advisory_lock")) {
            if (System.nanoTime() > until) {
                throw StoreOwner.refused("the database " + what, owner(connection));
            }
            LockSupport.parkNanos(PATIENCE.toNanos() / 20);
        }
    }

    private static boolean callLock(Connection connection, String function) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row =
                        sql.executeQuery(
                                "SELECT %s(%s, hashtext(current_schema()))"
                                        .formatted(function, LOCK))) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static String owner(Connection connection) {
        try {
            return head(connection).owner();
        } catch (SQLException e) {
            return "";
        }
    }

    private static void askForDurability(Connection connection, StoreHealth health)
            throws SQLException {
        if (setting(connection, "synchronous_commit").equals("off")) {
            try (Statement sql = connection.createStatement()) {
                sql.execute("SET synchronous_commit TO on");
            }
        }
        if (setting(connection, "fsync").equals("off")) {
            health.warning(
                    "PostgreSQL runs with fsync = off: a power failure can lose or damage the"
                            + " journal; set fsync = on in its configuration");
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    /// Releases PostgreSQL's lock first, because the database notices a closed connection with a
    /// delay.
    @Override
    public void close() throws SQLException {
        try {
            if (locked) {
                callLock(connection, "pg_advisory_unlock");
            }
        } catch (SQLException e) {
            // A broken connection has lost the lock already.
        } finally {
            connection.close();
        }
    }
}
