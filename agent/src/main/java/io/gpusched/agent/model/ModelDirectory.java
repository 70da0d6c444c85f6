package io.gpusched.agent.model;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.TreeMap;

/// The directory of a model cache.
///
///     DIR/llama-8b/            complete: it was renamed to this when its last byte was on the disk
///     DIR/.loading-llama-8b/   not complete; left by a crash, it is removed at the next start
///     DIR/.removed-qwen/       no longer there for jobs; its files are being deleted
final class ModelDirectory {
    private static final String LOADING = ".loading-";
    private static final String REMOVED = ".removed-";

    private final Path root;

    /// Removes what an earlier agent left incomplete.
    ModelDirectory(Path root) throws IOException {
        this.root = Files.createDirectories(root);
        try (DirectoryStream<Path> children = Files.newDirectoryStream(root, ".*")) {
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (name.startsWith(LOADING) || name.startsWith(REMOVED)) {
                    delete(child);
                }
            }
        }
    }

    /// The complete models and their sizes. Other directories are left alone, such as the
    /// `lost+found` of a disk that only holds the cache.
    Map<String, Long> complete() throws IOException {
        var found = new TreeMap<String, Long>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(root)) {
            for (Path child : children) {
                String model = decoded(child.getFileName().toString());
                if (model != null && Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    found.put(model, bytes(child));
                }
            }
        }
        return found;
    }

    /// An empty directory into which the model can be loaded.
    Path draft(String model) throws IOException {
        Path draft = root.resolve(LOADING + encoded(model));
        delete(draft);
        return Files.createDirectories(draft);
    }

    /// Gives the model up that was being loaded.
    void discard(String model) throws IOException {
        delete(root.resolve(LOADING + encoded(model)));
    }

    /// Makes the loaded model complete, all of it at once.
    ///
    /// @return its size
    long publish(String model) throws IOException {
        Path draft = root.resolve(LOADING + encoded(model));
        long size = bytes(draft);
        try {
            Files.move(draft, root.resolve(encoded(model)), StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("the file system of " + root + " cannot rename at once", e);
        }
        return size;
    }

    /// Removes the model: at once for jobs, then its files.
    void remove(String model) throws IOException {
        Path complete = root.resolve(encoded(model));
        if (Files.exists(complete, LinkOption.NOFOLLOW_LINKS)) {
            Path removed = root.resolve(REMOVED + encoded(model));
            delete(removed);
            Files.move(complete, removed, StandardCopyOption.ATOMIC_MOVE);
            delete(removed);
        }
    }

    /// Where the complete model is; null where it is not.
    @Nullable Path find(String model) {
        Path complete = root.resolve(encoded(model));
        return Files.isDirectory(complete, LinkOption.NOFOLLOW_LINKS) ? complete : null;
    }

    /// A name that is one step of a path and not hidden, whatever the model is called.
    private static String encoded(String model) {
        String name =
                URLEncoder.encode(model, StandardCharsets.UTF_8)
                        .replace("*", "%2A")
                        .replace("+", "%20");
        return name.startsWith(".") ? "%2E" + name.substring(1) : name;
    }

    /// The model of a directory; null where [#encoded] makes no such name.
    private static @Nullable String decoded(String name) {
        try {
            String model = URLDecoder.decode(name, StandardCharsets.UTF_8);
            return encoded(model).equals(name) ? model : null;
        } catch (IllegalArgumentException notEncoded) {
            return null;
        }
    }

    static long bytes(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .mapToLong(ModelDirectory::size)
                    .sum();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException problem) throws IOException {
                        if (problem != null) {
                            throw problem;
                        }
                        Files.delete(directory);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
