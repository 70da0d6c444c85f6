package io.gpusched.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Makes folders and files that only their owner can read: jobs carry commands and environments,
/// and those carry secrets. What exists already stays as its owner made it.
public final class PrivateFiles {
    private PrivateFiles() {}

    /// The folder, made with those above it where they are missing.
    public static Path folder(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? folder
                : Files.createDirectories(folder, only("rwx------", folder));
    }

    /// The file, made empty where it is missing; SQLite gives its companions the same permissions.
    public static Path file(Path file) throws IOException {
        if (!Files.exists(file)) {
            try {
                Files.createFile(file, only("rw-------", file));
            } catch (FileAlreadyExistsException somebodyWasFaster) {
                return file;
            }
        }
        return file;
    }

    private static FileAttribute<?>[] only(String permissions, Path where) {
        if (!where.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }
}
