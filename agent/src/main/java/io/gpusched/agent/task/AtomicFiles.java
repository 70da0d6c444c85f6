package io.gpusched.agent.task;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/// Writes and reads small files that other processes watch. A file appears whole or not at all. It
/// is read only if the agent or a shim can have written it: a pipe, a device, a link or a huge file
/// in its place would block the agent or fill its memory.
final class AtomicFiles {
    /// The largest file that the agent or the shim writes and reads back.
    static final int LARGEST = 1 << 16;

    private AtomicFiles() {}

    static void write(Path file, String content) throws IOException {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Path file, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Files.deleteIfExists(draft);
        Files.write(draft, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(
                draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// The content of a file of at most `most` bytes; null if it does not exist.
    ///
    /// @throws DamagedException if the file cannot be one that the agent or a shim wrote
    static byte @Nullable [] read(Path file, int most) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                throw new DamagedException(file + " is not a regular file");
            }
            if (attributes.size() > most) {
                throw new DamagedException(
                        file + " has " + attributes.size() + " bytes, expected at most " + most);
            }
            try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                return in.readNBytes(most);
            }
        } catch (NoSuchFileException e) {
            return null;
        } catch (AccessDeniedException | NotDirectoryException e) {
            throw new DamagedException("the agent cannot read " + file + ": " + e);
        }
    }

    /// Whether there is anything of this name: file, directory or link.
    static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }
}
