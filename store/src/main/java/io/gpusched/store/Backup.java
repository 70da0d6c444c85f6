package io.gpusched.store;

import io.gpusched.wire.codec.BatchCodec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/// Makes and restores backups of a journal. A backup is one SQLite file, whatever database it was
/// made from, and can be restored into either database; that is also how a journal moves from one
/// database to the other.
///
/// Only the journal is copied. Tables and snapshots are rebuilt from it.
public final class Backup {
    private static final int ROWS_AT_ONCE = 100;

    private Backup() {}

    /// Copies the journal while it is being written; the backup ends with a batch that was durable
    /// meanwhile. The file must not exist. Returns the number of the last batch.
    public static long make(Database from, Path file) {
        if (Files.exists(file)) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected no file at " + file + ", found one; name another");
        }
        Path name = file.toAbsolutePath();
        Path folder = name.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected a directory at " + folder + " for the backup, found none; create it");
        }
        Path draft = folder.resolve(name.getFileName() + ".draft");
        try {
            Files.deleteIfExists(draft);
            PrivateFiles.file(draft);
            long last =
                    switch (from) {
                        case Database.Sqlite sqlite -> vacuum(sqlite, draft);
                        case Database.Postgres _ -> export(from, draft);
                    };
            Files.move(draft, name);
            return last;
        } catch (SQLException | IOException e) {
            throw StoreException.broken("making a backup of " + from + " in " + file, e);
        } finally {
            discard(draft);
        }
    }

    /// Deletes a partial file; an error of that deletion does not hide the original one.
    private static void discard(Path draft) {
        var _ = draft.toFile().delete();
    }

    /// Fills an empty store from a backup and checks every batch. Returns the number of the last
    /// batch.
    public static long restore(Path file, Database into) {
        if (!Files.isRegularFile(file)) {
            throw new StoreException(
                    StoreException.Kind.BROKEN, "expected a backup at " + file + ", found none");
        }
        checkReadable(file); // Before the store is touched.
        try (var journal = SqlJournal.open(into, StoreHealth.UNHEARD)) {
            if (journal.head() > 0) {
                throw new StoreException(
                        StoreException.Kind.BROKEN,
                        "expected an empty store in %s, found %s%s; restore into a new one"
                                .formatted(
                                        into,
                                        journal.head(),
                                        journal.head() == 1 ? " batch" : " batches"));
            }
            try (Connection source = Dialect.sqlite(file, true);
                    Connection target = Dialect.connect(into, JournalLink.FILE)) {
                return copy(new JournalReader(source, new BatchCodec()), target);
            }
        } catch (SQLException e) {
            throw StoreException.broken("restoring " + file, e);
        }
    }

    private static void checkReadable(Path file) {
        try (Connection source = Dialect.sqlite(file, true)) {
            new JournalReader(source, new BatchCodec()).head();
        } catch (SQLException e) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected a backup of a journal at %s, found another file (%s)"
                            .formatted(file, e.getMessage()),
                    e);
        }
    }

    private static long vacuum(Database.Sqlite from, Path file) throws SQLException {
        if (!Files.isRegularFile(from.folder().resolve(JournalLink.FILE))) {
            throw new StoreException(
                    StoreException.Kind.BROKEN,
                    "expected a journal in "
                            + from.folder()
                            + ", found none; is it the data directory?");
        }
        try (Connection connection = Dialect.sqlite(from.folder().resolve(JournalLink.FILE), true);
                var sql = connection.prepareStatement("VACUUM INTO ?")) {
            sql.setString(1, file.toString());
            sql.execute();
        }
        try (Connection copy = Dialect.sqlite(file, true)) {
            return new JournalReader(copy, new BatchCodec()).head();
        }
    }

    private static long export(Database from, Path file) throws SQLException {
        try (var source = JournalReader.open(from);
                Connection target = Dialect.sqlite(file, false)) {
            new Migrations(Dialect.SQLITE, "journal").run(target);
            long last = copy(source, target);
            try (var sql = target.createStatement()) {
                sql.execute("PRAGMA journal_mode = DELETE");
            }
            return last;
        }
    }

    /// Copies every row in one transaction, so that a store is restored completely or not at all.
    private static long copy(JournalReader from, Connection to) throws SQLException {
        to.setAutoCommit(false);
        var codec = new BatchCodec();
        long[] last = {0};
        JournalOrigin.copy(from.connection(), to);
        long base = from.base();
        last[0] = base;
        try (PreparedStatement insert = to.prepareStatement(JournalReader.INSERT)) {
            from.rows(
                    Math.max(0, base - 1),
                    Long.MAX_VALUE,
                    journalRow -> {
                        journalRow.batch(codec);
                        add(journalRow, insert);
                        last[0] = journalRow.number();
                    });
            insert.executeBatch();
        }
        var head = from.cell();
        try (PreparedStatement update =
                to.prepareStatement("UPDATE cell SET term = ?, head = ?, holder = ''")) {
            update.setLong(1, head.term());
            update.setLong(2, last[0]);
            update.executeUpdate();
        }
        to.commit();
        to.setAutoCommit(true);
        return last[0];
    }

    private static void add(JournalRow journalRow, PreparedStatement insert) {
        try {
            journalRow.bind(insert);
            insert.addBatch();
            if (journalRow.number() % ROWS_AT_ONCE == 0) {
                insert.executeBatch();
            }
        } catch (SQLException e) {
            throw StoreException.broken("copying batch " + journalRow.number(), e);
        }
    }
}
