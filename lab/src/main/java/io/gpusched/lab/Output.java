package io.gpusched.lab;

import io.gpusched.sim.trace.FileProblem;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Writes the output files of commands.
final class Output {
    private Output() {}

    /// @param to null when the option was not given
    static void write(@Nullable Path to, String text) {
        if (to == null) {
            return;
        }
        Path folder = to.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new UserError("cannot write %s: there is no directory %s".formatted(to, folder));
        }
        if (Files.isDirectory(to)) {
            throw new UserError(
                    "cannot write %s: expected a file, found a directory".formatted(to));
        }
        try {
            Files.writeString(to, text);
        } catch (IOException e) {
            throw new UserError("cannot write %s: %s".formatted(to, FileProblem.with(e)));
        }
    }

    static void write(@Nullable Path to, List<String> lines) {
        write(to, String.join("\n", lines) + "\n");
    }
}
