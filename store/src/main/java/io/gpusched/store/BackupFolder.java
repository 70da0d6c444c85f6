package io.gpusched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;

/// A directory of backups named by their time, from which the oldest are deleted. Files with other
/// names are never touched.
///
///     /backups/journal-20260101T120000Z.db
public final class BackupFolder {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;

    public BackupFolder(Path folder) {
        this.folder = folder;
    }

    /// The path of a backup made at this time.
    public Path file(Instant now) {
        return folder.resolve("journal-" + TIME.format(now) + ".db");
    }

    /// Deletes all but the newest `most` backups and returns the deleted ones. Call it only after a
    /// successful backup: a failed backup must not cost an older one.
    public List<Path> keep(int most) {
        try (var files = Files.list(folder)) {
            List<Path> old =
                    files.filter(BackupFolder::isBackup)
                            .sorted(Comparator.comparing(BackupFolder::name).reversed())
                            .skip(most)
                            .toList();
            for (Path file : old) {
                Files.delete(file);
            }
            return old;
        } catch (IOException e) {
            throw StoreException.broken("deleting old backups in " + folder, e);
        }
    }

    private static boolean isBackup(Path file) {
        return name(file).matches("journal-[0-9]{8}T[0-9]{6}Z\\.db");
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
