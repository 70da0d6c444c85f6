package io.gpusched.cli.command;

import io.gpusched.cli.args.UsageError;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads the bytes of a file that only the server can read.
final class TextFiles {
    private TextFiles() {}

    /// The content of `file`, or of standard input if `file` is `-`. Errors name the option.
    static byte[] read(String option, String file, InputStream in) {
        try {
            byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
            if (bytes.length == 0) {
                throw new UsageError("option " + option + ": " + file + " is empty");
            }
            return bytes;
        } catch (IOException e) {
            throw new UsageError(
                    "option " + option + ": cannot read " + file + " (" + FileErrors.of(e) + ")");
        }
    }
}
