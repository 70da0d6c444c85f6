package io.gpusched.store;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/// The identity of the open journal file. If the file is deleted or moved while the scheduler runs,
/// the scheduler writes to a file that cannot be opened again; nothing written there may be
/// acknowledged.
final class JournalPlace {
    private final Path file;
    private final @Nullable Object key;

    private JournalPlace(Path file) {
        this.file = file;
        this.key = key(file);
    }

    /// Null if the journal is not a file.
    static @Nullable JournalPlace of(Database database) {
        return switch (database) {
            case Database.Sqlite sqlite ->
                    new JournalPlace(sqlite.folder().resolve(JournalLink.FILE).toAbsolutePath());
            case Database.Postgres _ -> null;
        };
    }

    /// Throws [StoreException] if the file is missing or is another one.
    void check() {
        Object now = key(file);
        if (now == null || !Objects.equals(now, key)) {
            throw new StoreException(
                    StoreException.Kind.DAMAGED,
                    "expected the journal that was opened at %s, found %s: it was deleted, moved or replaced while the scheduler ran. Put it back, or restore a backup"
                            .formatted(file, now == null ? "no file" : "another file"));
        }
    }

    /// The key that identifies a file; null if there is none.
    private static @Nullable Object key(Path file) {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }
}
