package io.gpusched.lab;

import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds the files of a directory of published data by how their names begin, so that a part of the
/// data, or other data in the same form, can be used under another name.
final class DataFolder {
    private DataFolder() {}

    /// The directory that an option names. Without the option it is the directory of the data if
    /// that has such a file, and otherwise the one of this name beside it.
    static Path given(@Nullable Path option, Path data, String name, String beginning) {
        if (option != null) {
            return option;
        }
        Path beside = data.resolveSibling(name);
        return has(data, beginning) || !Files.isDirectory(beside) ? data : beside;
    }

    private static boolean has(Path folder, String beginning) {
        try (var entries = Files.list(folder)) {
            return entries.anyMatch(file -> name(file).startsWith(beginning));
        } catch (IOException e) {
            return false;
        }
    }

    /// All files whose names begin so, at least one, in the order of their names.
    static List<Path> files(String option, Path folder, String beginning) {
        if (!Files.isDirectory(folder)) {
            throw new UserError("%s: expected a directory, found %s".formatted(option, folder));
        }
        try (var entries = Files.list(folder)) {
            List<Path> found =
                    entries.filter(Files::isRegularFile)
                            .filter(file -> name(file).startsWith(beginning))
                            .sorted()
                            .toList();
            if (found.isEmpty()) {
                throw new UserError(
                        "%s: expected a file %s… in %s, found none"
                                .formatted(option, beginning, folder));
            }
            return found;
        } catch (IOException e) {
            throw new UserError("cannot read %s: %s".formatted(folder, FileProblem.with(e)));
        }
    }

    /// The only file whose name begins so.
    static Path file(String option, Path folder, String beginning) {
        List<Path> found = files(option, folder, beginning);
        if (found.size() > 1) {
            throw new UserError(
                    "%s: expected one file %s… in %s, found %s; keep one of them"
                            .formatted(
                                    option,
                                    beginning,
                                    folder,
                                    String.join(
                                            ", ", found.stream().map(DataFolder::name).toList())));
        }
        return found.getFirst();
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
