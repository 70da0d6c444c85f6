package io.gpusched.lab.pools;

import io.gpusched.sim.trace.BadTrace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds files of a directory by the beginning of their names, whatever their suffix.
public final class DataFiles {
    private DataFiles() {}

    /// All files whose names begin so, in order of their names; at least one.
    public static List<Path> all(Path directory, String beginning) {
        try (var files = Files.list(directory)) {
            List<Path> found =
                    files.filter(file -> String.valueOf(file.getFileName()).startsWith(beginning))
                            .sorted()
                            .toList();
            if (found.isEmpty()) {
                throw new BadTrace(
                        "%s has no file that begins with %s; name the directory with the data"
                                .formatted(directory, beginning));
            }
            return found;
        } catch (IOException e) {
            throw new BadTrace(
                    "%s cannot be listed: expected a directory with a file that begins with %s"
                            .formatted(directory, beginning));
        }
    }

    /// The first of them.
    public static Path one(Path directory, String beginning) {
        return all(directory, beginning).getFirst();
    }
}
