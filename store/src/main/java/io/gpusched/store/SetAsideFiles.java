package io.gpusched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Renames unusable files instead of deleting them.
///
///     tables.db → tables.db.damaged-20260101T120000.000Z
final class SetAsideFiles {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

    private SetAsideFiles() {}

    /// @param why one word that becomes part of the new name
    static Path move(Path from, String why) {
        Path to =
                from.resolveSibling(
                        from.getFileName() + "." + why + "-" + TIME.format(Instant.now()));
        try {
            return Files.move(from, to);
        } catch (IOException e) {
            throw StoreException.broken("moving " + from + " to " + to, e);
        }
    }
}
