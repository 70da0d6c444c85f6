package io.gpusched.lab.spot;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.FileProblem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds a file of an experiment by the beginning of its name, so that a directory may hold a part
/// of the data under another ending.
public final class PrefixedFile {
    private PrefixedFile() {}

    /// The only CSV file of the directory whose name begins like this, compressed or not.
    public static Path in(Path folder, String beginning) {
        if (!Files.isDirectory(folder)) {
            throw new BadTrace(
                    "there is no directory %s; name the directory with the data".formatted(folder));
        }
        try (var files = Files.list(folder)) {
            List<Path> found = files.filter(file -> isOne(file, beginning)).sorted().toList();
            if (found.size() != 1) {
                throw new BadTrace(
                        "%s: expected one file %s*.csv or %s*.csv.gz, found %s"
                                .formatted(
                                        folder,
                                        beginning,
                                        beginning,
                                        found.isEmpty()
                                                ? "none"
                                                : found.stream().map(Path::getFileName).toList()));
            }
            return found.getFirst();
        } catch (IOException e) {
            throw new BadTrace("cannot read %s: %s".formatted(folder, FileProblem.with(e)));
        }
    }

    private static boolean isOne(Path file, String beginning) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith(beginning) && (name.endsWith(".csv") || name.endsWith(".csv.gz"));
    }
}
