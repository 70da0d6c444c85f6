package io.gpusched.server.auth;

import io.gpusched.store.PrivateFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// One token per line, fields separated by tabs. Only its owner can read it, and a crash leaves the
/// old file or the new one, never a half.
final class TokenFile {
    private static final int FIELDS = 5;

    private final Path path;

    TokenFile(Path path) {
        this.path = path;
    }

    boolean exists() {
        return Files.exists(path);
    }

    List<Token> read() {
        if (!exists()) {
            return List.of();
        }
        try (var lines = Files.lines(path)) {
            return lines.filter(line -> !line.isBlank()).map(this::token).toList();
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

    /// Leaves `text` in a file of its own.
    void leave(Path file, String text) {
        replace(file, text + "\n");
    }

    private Token token(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalStateException(
                    "%s: expected %d fields in a line, found %d; restore the file from a backup"
                            .formatted(path, FIELDS, fields.length));
        }
        return new Token(
                fields[0],
                Token.Kind.valueOf(fields[1]),
                fields[2],
                fields[3],
                Instant.parse(fields[4]));
    }

    private static void replace(Path file, String text) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                PrivateFiles.folder(folder);
            }
            Files.deleteIfExists(next);
            try (var channel =
                    FileChannel.open(
                            next,
                            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    Set.copyOf(PosixFilePermissions.fromString("rw-------"))))) {
                var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
