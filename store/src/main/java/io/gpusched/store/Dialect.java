package io.gpusched.store;

import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/// The differences between SQLite and PostgreSQL. All other SQL of the store works on both.
enum Dialect {
    SQLITE(
            """
            INSERT INTO batches (number, term, at, body, digest, checksum)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM cell WHERE term = ?2 AND head = ?1 - 1
            """),
    POSTGRES(
            """
            WITH moved AS (
                UPDATE cell SET head = head + 1 WHERE head = ?::bigint - 1 AND term = ?::bigint
                RETURNING head, term
            )
            INSERT INTO batches (number, term, at, body, digest, checksum)
            SELECT head, term, ?::bigint, ?::bytea, ?::bigint, ?::bigint FROM moved
            """);

    /// Moves the head and inserts the row in one statement, or does nothing.
    final String append;

    Dialect(String append) {
        this.append = append;
    }

    static Dialect of(Database database) {
        return switch (database) {
            case Database.Sqlite _ -> SQLITE;
            case Database.Postgres _ -> POSTGRES;
        };
    }

    /// A connection that commits each statement durably.
    static Connection connect(Database database, String file) throws SQLException {
        return switch (database) {
            case Database.Sqlite sqlite -> sqlite(sqlite.folder().resolve(file), false);
            case Database.Postgres postgres -> postgres(postgres);
        };
    }

    /// A connection for data that can be rebuilt: commits do not wait for the disk.
    static Connection connectRelaxed(Database database, String file) throws SQLException {
        Connection connection = connect(database, file);
        try (var sql = connection.createStatement()) {
            sql.execute(
                    switch (database) {
                        case Database.Sqlite _ -> "PRAGMA synchronous = NORMAL";
                        case Database.Postgres _ -> "SET synchronous_commit TO off";
                    });
        }
        return connection;
    }

    /// A connection that only reads.
    static Connection connectReading(Database database, String file) throws SQLException {
        return switch (database) {
            case Database.Sqlite sqlite -> sqlite(sqlite.folder().resolve(file), true);
            case Database.Postgres postgres -> postgres(postgres);
        };
    }

    static Connection sqlite(Path file, boolean readOnly) throws SQLException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null && !readOnly) {
                PrivateFiles.folder(folder);
                PrivateFiles.file(file);
            }
        } catch (IOException e) {
            throw new StoreException(
                    StoreException.Kind.BROKEN, file + " cannot be created: " + e.getMessage(), e);
        }
        var config = new SQLiteConfig();
        if (!readOnly) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        }
        config.setReadOnly(readOnly);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(1000);
        return org.sqlite.JDBC.createConnection("jdbc:sqlite:" + file, config.toProperties());
    }

    private static Connection postgres(Database.Postgres database) throws SQLException {
        if (!database.url().startsWith("jdbc:postgresql:")) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected a URL that starts with jdbc:postgresql:, found " + database.url());
        }
        var settings = new Properties();
        settings.setProperty("user", database.user());
        settings.setProperty("password", database.password());
        settings.setProperty("prepareThreshold", "1");
        settings.setProperty("tcpKeepAlive", "true");
        settings.setProperty("reWriteBatchedInserts", "true");
        settings.setProperty("connectTimeout", "10");
        settings.setProperty("socketTimeout", "60");
        settings.setProperty("ApplicationName", "gpu-scheduler");
        return DriverManager.getConnection(database.url(), settings);
    }

    /// Whether the error may go away by itself: the database is busy, restarting, out of space or
    /// unreachable.
    boolean passing(SQLException e) {
        return switch (this) {
            case SQLITE -> e instanceof SQLiteException known && passing(known.getResultCode());
            case POSTGRES -> passing(e.getSQLState() == null ? "" : e.getSQLState());
        };
    }

    /// Whether the file is not a database, or is damaged.
    boolean damaged(SQLException e) {
        if (this != SQLITE || !(e instanceof SQLiteException known)) {
            return false;
        }
        int primary = known.getResultCode().code & 0xff;
        return primary == SQLiteErrorCode.SQLITE_NOTADB.code
                || primary == SQLiteErrorCode.SQLITE_CORRUPT.code;
    }

    private static boolean passing(SQLiteErrorCode code) {
        int primary = code.code & 0xff;
        return primary == SQLiteErrorCode.SQLITE_BUSY.code
                || primary == SQLiteErrorCode.SQLITE_LOCKED.code
                || primary == SQLiteErrorCode.SQLITE_FULL.code
                || primary == SQLiteErrorCode.SQLITE_IOERR.code
                || primary == SQLiteErrorCode.SQLITE_CANTOPEN.code
                || primary == SQLiteErrorCode.SQLITE_NOMEM.code;
    }

    /// Error classes and codes of the SQL standard and of PostgreSQL: connection lost, insufficient
    /// resources, operator intervention, system error, conflict, read-only during a failover.
    private static boolean passing(String state) {
        return state.startsWith("08")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.startsWith("58")
                || state.startsWith("40")
                || state.equals("25006")
                || state.equals("55P03");
    }
}
