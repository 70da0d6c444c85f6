package io.gpusched.store;

import io.gpusched.wire.codec.Snapshot;
import io.gpusched.wire.codec.SnapshotCodec;
import io.gpusched.wire.codec.UnreadableException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;

/// The beginning of a journal whose oldest batches were deleted: a snapshot after some batch,
/// stored in the journal's own database. So a backup contains it too, and nothing depends on
/// snapshot files.
///
/// It becomes the beginning in one small step, after all its parts are written and before any batch
/// is deleted. A crash in between leaves unused parts or unneeded batches; the next pruning deletes
/// both.
final class JournalOrigin {
    private static final int PART = 1 << 20;

    /// Batches deleted in one transaction; this bounds how long appends wait.
    private static final int DELETED_AT_ONCE = 200;

    private final Connection connection;

    /// @param connection one that commits each statement
    JournalOrigin(Connection connection) {
        this.connection = connection;
    }

    /// The batch after which the journal begins; 0 if no batch was deleted, and for older releases,
    /// which deleted none.
    static long batch(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            String known =
                    connection.getMetaData().getURL().startsWith("jdbc:sqlite:")
                            ? "SELECT 1 FROM pragma_table_info('cell') WHERE name = 'base'"
                            : """
                            SELECT 1 FROM information_schema.columns
                            WHERE table_schema = current_schema()
                            AND table_name = 'cell' AND column_name = 'base'
                            """;
            return number(sql, known) == 0 ? 0 : number(sql, "SELECT base FROM cell");
        }
    }

    private static long number(Statement sql, String query) throws SQLException {
        try (ResultSet row = sql.executeQuery(query)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /// The snapshot with which the journal begins; null if no batch was deleted.
    static @Nullable Snapshot read(Connection connection) throws SQLException {
        long batch = batch(connection);
        if (batch == 0) {
            return null;
        }
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT body FROM base_parts WHERE batch = ? ORDER BY part")) {
            query.setFetchSize(1);
            query.setLong(1, batch);
            try (ResultSet parts = query.executeQuery()) {
                return SnapshotStream.read(new SnapshotCodec(), new PartsIn(parts));
            }
        } catch (IOException | UnreadableException e) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "the beginning of the journal, after batch %s, cannot be read (%s); restore a backup"
                            .formatted(batch, e.getMessage()),
                    e);
        }
    }

    /// Makes the journal begin with this snapshot. Returns false, without any change, unless the
    /// term is the current one.
    boolean begin(Snapshot snapshot, long term) throws SQLException {
        long batch = snapshot.image().batch();
        delete("DELETE FROM base_parts WHERE batch <> (SELECT base FROM cell)");
        try (var out = new PartsOut(batch)) {
            SnapshotStream.write(snapshot, new SnapshotCodec(), out);
        } catch (IOException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw StoreException.broken("writing the beginning of the journal", e);
        }
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE cell SET base = ? WHERE term = ? AND base < ? AND head >= ?")) {
            update.setLong(1, batch);
            update.setLong(2, term);
            update.setLong(3, batch);
            update.setLong(4, batch);
            return update.executeUpdate() == 1;
        }
    }

    /// Deletes the batches before the beginning, a few at a time, the oldest first. The batch of
    /// the snapshot itself stays, so that snapshot files of it can be verified. Returns the number
    /// of deleted batches.
    long deleteBefore() throws SQLException {
        long deleted = 0;
        long last;
        do {
            last =
                    delete(
                            """
                            DELETE FROM batches WHERE number < (SELECT base FROM cell)
                            AND number < (SELECT min(number) FROM batches) + %d
                            """
                                    .formatted(DELETED_AT_ONCE));
            deleted += last;
        } while (last > 0);
        delete("DELETE FROM base_parts WHERE batch <> (SELECT base FROM cell)");
        return deleted;
    }

    private int delete(String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            return sql.executeUpdate(statement);
        }
    }

    /// Copies the beginning from another database, if it has one.
    static void copy(Connection from, Connection to) throws SQLException {
        long batch = batch(from);
        if (batch == 0) {
            return;
        }
        try (PreparedStatement query =
                        from.prepareStatement(
                                "SELECT part, body FROM base_parts WHERE batch = ? ORDER BY part");
                PreparedStatement insert = to.prepareStatement(PartsOut.INSERT);
                Statement update = to.createStatement()) {
            query.setFetchSize(1);
            query.setLong(1, batch);
            try (ResultSet parts = query.executeQuery()) {
                while (parts.next()) {
                    insert.setLong(1, batch);
                    insert.setInt(2, parts.getInt(1));
                    insert.setBytes(3, parts.getBytes(2));
                    insert.executeUpdate();
                }
            }
            update.executeUpdate("UPDATE cell SET base = " + batch);
        }
    }

    /// Writes a row whenever its buffer is full.
    private final class PartsOut extends OutputStream {
        static final String INSERT = "INSERT INTO base_parts (batch, part, body) VALUES (?, ?, ?)";

        private final long batch;
        private final byte[] bytes = new byte[PART];
        private int length;
        private int part;

        PartsOut(long batch) {
            this.batch = batch;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            int left = count;
            while (left > 0) {
                int some = Math.min(left, PART - length);
                System.arraycopy(from, offset + count - left, bytes, length, some);
                length += some;
                left -= some;
                if (length == PART) {
                    put();
                }
            }
        }

        private void put() throws IOException {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setLong(1, batch);
                insert.setInt(2, part);
                insert.setBytes(3, Arrays.copyOf(bytes, length));
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IOException(e);
            }
            part++;
            length = 0;
        }

        @Override
        public void close() throws IOException {
            if (length > 0) {
                put();
            }
        }
    }

    private static final class PartsIn extends InputStream {
        private final ResultSet parts;
        private byte[] bytes = new byte[0];
        private int next;

        PartsIn(ResultSet parts) {
            this.parts = parts;
        }

        @Override
        public int read() throws IOException {
            return fill() ? bytes[next++] & 0xff : -1;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            Objects.checkFromIndexSize(offset, count, into.length);
            if (!fill()) {
                return -1;
            }
            int some = Math.min(count, bytes.length - next);
            System.arraycopy(bytes, next, into, offset, some);
            next += some;
            return some;
        }

        private boolean fill() throws IOException {
            try {
                while (next == bytes.length) {
                    if (!parts.next()) {
                        return false;
                    }
                    bytes = parts.getBytes(1);
                    next = 0;
                }
                return true;
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }
}
