package io.gpusched.gateway.binding;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// A connection string as it was given: `env:NAME`, `file:PATH`, or the text itself. It never shows
/// itself; only [#reveal] returns the text.
final class ConnectionSecret {
    private static final String ENVIRONMENT = "env:";
    private static final String FILE = "file:";
    private static final int MOST_BYTES = 64 * 1024;

    private final String given;

    ConnectionSecret(String given) {
        this.given = given;
    }

    /// The text, looked up anew at every call so that a changed password is found.
    ///
    /// @param environment gives the value of a variable; null where there is none
    String reveal(UnaryOperator<@Nullable String> environment) throws LagProblem {
        String text = given;
        if (given.startsWith(ENVIRONMENT)) {
            String name = given.substring(ENVIRONMENT.length());
            text = environment.apply(name);
            if (text == null) {
                throw new LagProblem(
                        "the environment variable of the connection is not set; set it for the"
                                + " gateway");
            }
        } else if (given.startsWith(FILE)) {
            text = contents(given.substring(FILE.length()));
        }
        text = text.strip();
        if (text.isEmpty()) {
            throw new LagProblem("the connection is empty; set it");
        }
        return text;
    }

    private static String contents(String path) throws LagProblem {
        try {
            Path file = Path.of(path);
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
                throw new LagProblem(
                        "the file of the connection is missing or too large; check its path");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException | InvalidPathException e) {
            throw new LagProblem(
                    "the file of the connection cannot be read; check its path and permissions");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectionSecret secret && secret.given.equals(given);
    }

    @Override
    public int hashCode() {
        return Objects.hash(given);
    }

    @Override
    public String toString() {
        return "***";
    }
}
