package io.gpusched.bench.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/// A directory under `target`, on the disk the project is on, and everything started in it. Closing
/// it ends the processes and removes the directory; so does the end of this process.
final class BenchFolder implements AutoCloseable {
    private final Path root;
    private final Path folder;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Thread hook = Thread.ofPlatform().name("clean-up").unstarted(this::clear);

    private BenchFolder(Path root, Path folder) {
        this.root = root;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static BenchFolder open(Path root) throws IOException {
        Path target = Files.createDirectories(root.resolve("target"));
        return new BenchFolder(root, Files.createTempDirectory(target, "bench-"));
    }

    /// A program in `bin/`.
    Path launcher(String name) {
        return root.resolve("bin").resolve(name);
    }

    Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    /// Remembers what has to be stopped, the newest first.
    synchronized void keep(AutoCloseable part) {
        started.push(part);
    }

    /// How long this disk takes to make 4 KiB durable: the median of a hundred, in milliseconds.
    double syncMillis() throws IOException {
        var times = new long[100];
        Path file = folder.resolve("sync");
        try (var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < times.length; i++) {
                long begin = System.nanoTime();
                channel.write(ByteBuffer.allocate(4096));
                channel.force(false);
                times[i] = System.nanoTime() - begin;
            }
        }
        Files.delete(file);
        Arrays.sort(times);
        return times[times.length / 2] / 1e6;
    }

    @Override
    public void close() {
        clear();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook finds nothing left to do.
        }
    }

    private synchronized void clear() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                System.err.println("something did not stop as it should: " + e);
            }
        }
        try {
            remove(folder);
        } catch (IOException e) {
            System.err.println("could not remove " + folder + ": " + e);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (var walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path path : all) {
            Files.deleteIfExists(path);
        }
    }
}
