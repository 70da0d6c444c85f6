package io.gpusched.cli.command;

import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonFault;
import io.gpusched.cli.json.JsonParser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads JSON objects from files.
final class JsonFiles {
    private JsonFiles() {}

    /// The object in `file`, or on standard input if `file` is `-`. Errors name the option that
    /// gave the file.
    static Json read(String option, String file, InputStream in) {
        try {
            byte[] bytes = file.equals("-") ? in.readAllBytes() : Files.readAllBytes(Path.of(file));
            Json read = JsonParser.read(new String(bytes, StandardCharsets.UTF_8));
            if (read instanceof Json.Fields) {
                return read;
            }
            throw new UsageError("option " + option + ": expected a JSON object in " + file);
        } catch (JsonFault fault) {
            throw new UsageError("option " + option + ": " + file + ", " + fault.getMessage());
        } catch (IOException e) {
            throw new UsageError(
                    "option " + option + ": cannot read " + file + " (" + FileErrors.of(e) + ")");
        }
    }
}
