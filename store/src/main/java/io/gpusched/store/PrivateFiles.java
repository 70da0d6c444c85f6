package io.gpusched.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Creates directories and files that only their owner can read: jobs contain commands and
/// environments, which may contain secrets. Permissions of existing files are not changed.
public final class PrivateFiles {
    private PrivateFiles() {}

    /// Creates the directory and its missing parents.
    public static Path folder(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? folder
                : Files.createDirectories(folder, only("rwx------", folder));
    }

    /// Creates an empty file if it is missing; SQLite gives its companion files the same
    /// permissions.
    public static Path file(Path file) throws IOException {
        if (!Files.exists(file)) {
            try {
                Files.createFile(file, only("rw-------", file));
            } catch (FileAlreadyExistsException createdConcurrently) {
                return file;
            }
        }
        return file;
    }

    /// Replaces the contents of a file, or creates it. A crash leaves the old file or the new one,
    /// never a part.
    public static void replace(Path file, byte[] contents) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        file(next);
        try (var channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
            var left = ByteBuffer.wrap(contents);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static FileAttribute<?>[] only(String permissions, Path where) {
        if (!where.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }
}
