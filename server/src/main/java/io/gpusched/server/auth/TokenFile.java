package io.gpusched.server.auth;

import io.gpusched.store.PrivateFiles;
import io.gpusched.store.StoreException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The file of tokens: one token per line, fields separated by tabs. Only its owner can read it. A
/// crash leaves the old file or the new one, never a partial one.
final class TokenFile {
    private static final int FIELDS = 5;

    private final Path path;

    TokenFile(Path path) {
        this.path = path;
    }

    boolean exists() {
        return Files.exists(path);
    }

    /// Throws [StoreException] if the file was not written by [#write].
    List<Token> read() {
        if (!exists()) {
            return List.of();
        }
        try {
            List<String> lines = Files.readAllLines(path);
            if (lines.isEmpty()) {
                throw damaged(1, "an empty file");
            }
            var tokens = new ArrayList<Token>();
            for (int line = 0; line < lines.size(); line++) {
                if (!lines.get(line).isBlank()) {
                    tokens.add(token(lines.get(line), line + 1));
                }
            }
            return tokens;
        } catch (CharacterCodingException e) {
            throw damaged(1, "bytes that are no text");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(List<Token> tokens) {
        replace(
                path,
                tokens.stream()
                        .map(
                                token ->
                                        String.join(
                                                "\t",
                                                token.id(),
                                                token.kind().name(),
                                                token.subject(),
                                                token.hash(),
                                                token.made().toString()))
                        .collect(Collectors.joining("\n", "", "\n")));
    }

    /// Writes `text` to a file that only its owner can read.
    void leave(Path file, String text) {
        replace(file, text + "\n");
    }

    private Token token(String text, int line) {
        String[] fields = text.split("\t", -1);
        if (fields.length != FIELDS) {
            throw damaged(line, fields.length + (fields.length == 1 ? " field" : " fields"));
        }
        try {
            return new Token(
                    fields[0],
                    Token.Kind.valueOf(fields[1]),
                    fields[2],
                    fields[3],
                    Instant.parse(fields[4]));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw damaged(line, "a kind or a time that does not exist");
        }
    }

    private StoreException damaged(int line, String found) {
        return new StoreException(
                StoreException.Kind.DAMAGED,
                "%s, line %d: expected a token as %d fields separated by tabs, found %s. Restore the file from a backup; or move it away, then this start makes new tokens (in %s and %s), and every client and agent needs a new one"
                        .formatted(
                                path,
                                line,
                                FIELDS,
                                found,
                                Tokens.adminFile(Path.of("")),
                                Tokens.joinFile(Path.of(""))));
    }

    private static void replace(Path file, String text) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                PrivateFiles.folder(folder);
            }
            PrivateFiles.replace(file, text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
