package io.gpusched.agent.task;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/// Deletes and measures files of jobs, whatever their state: directories without permissions,
/// read-only trees, links to anywhere, and trees deeper than the longest path.
final class FileTrees {
    private static final Set<PosixFilePermission> OWNER_ALL =
            PosixFilePermissions.fromString("rwx------");

    /// Below this many levels a path may become too long.
    private static final int DEEPEST = 64;

    private static final long BLOCK = 4096;

    private FileTrees() {}

    /// Deletes a tree without following links. Files that are too deep are moved up beside the tree
    /// under another name and deleted from there.
    ///
    /// @throws IOException for the first file that could not be deleted, after trying the rest
    static void delete(Path tree) throws IOException {
        new Removal(tree).run();
    }

    /// Approximate disk space of a tree in whole blocks; `enough` if it is larger or cannot be
    /// measured.
    static long bytes(Path tree, long enough) {
        try {
            return Math.min(enough, sum(tree, 0, enough));
        } catch (IOException | DirectoryIteratorException e) {
            return enough;
        }
    }

    private static long sum(Path path, int depth, long enough) throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = attributes(path);
        } catch (NoSuchFileException e) {
            return 0;
        }
        if (!attributes.isDirectory()) {
            return Math.ceilDiv(attributes.size(), BLOCK) * BLOCK;
        }
        if (depth == DEEPEST) {
            return enough;
        }
        long sum = BLOCK;
        unlock(path);
        try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
            for (Path child : children) {
                sum += sum(child, depth + 1, enough);
                if (sum >= enough) {
                    return enough;
                }
            }
        }
        return sum;
    }

    /// Restores the agent's permissions for a directory; does nothing for other files.
    static void unlock(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Set<PosixFilePermission> permissions =
                EnumSet.copyOf(OWNER_ALL); // Never empty, as a copy of the present ones could be.
        permissions.addAll(Files.getPosixFilePermissions(directory));
        if (!permissions.equals(Files.getPosixFilePermissions(directory))) {
            Files.setPosixFilePermissions(directory, permissions);
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static final class Removal {
        private final Path tree;
        private @Nullable IOException first;
        private int movedUp;
        private int deletedUp;

        Removal(Path tree) {
            this.tree = tree;
        }

        void run() throws IOException {
            remove(tree, 0);
            while (deletedUp < movedUp && first == null) {
                deletedUp++;
                remove(above(deletedUp), 0);
            }
            if (first != null) {
                throw first;
            }
        }

        private Path above(int number) {
            return tree.resolveSibling(tree.getFileName() + ".deep" + number);
        }

        private void remove(Path path, int depth) {
            try {
                if (attributes(path).isDirectory()) {
                    unlock(path);
                    if (depth == DEEPEST) {
                        Files.move(path, above(movedUp + 1));
                        movedUp++;
                        return;
                    }
                    try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                        for (Path child : children) {
                            remove(child, depth + 1);
                        }
                    }
                }
                Files.deleteIfExists(path);
            } catch (NoSuchFileException e) {
                return; // Gone already.
            } catch (IOException | DirectoryIteratorException e) {
                if (first == null) {
                    first = e instanceof IOException problem ? problem : new IOException(e);
                }
            }
        }
    }
}
