package io.gpusched.agent.task;

import io.gpusched.agent.task.Processes.Identity;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// One task's directory: all that is known about it, for this agent and for one started later.
///
/// Beside the files that the shim describes there are `order` (what was asked, as it came over the
/// wire), `node`, `boot`, `port`, `refused` (why it was not started), `acknowledged` (its end has
/// been told) and, unless the job names another one, `work`, its working directory.
final class TaskDirectory {
    private final Path path;
    private final TaskOrder order;
    private final String node;
    private final String boot;

    private TaskDirectory(Path path, TaskOrder order, String node, String boot) {
        this.path = path;
        this.order = order;
        this.node = node;
        this.boot = boot;
    }

    /// Makes the directory of a new task, whole or not at all.
    static TaskDirectory create(Path root, String node, TaskOrder order) throws IOException {
        String name = TaskNames.name(order.getTask());
        Path draft = root.resolve(name + ".draft");
        delete(draft);
        Files.createDirectory(
                draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.write(draft.resolve("order"), order.toByteArray());
        Files.writeString(draft.resolve("node"), node);
        Files.writeString(draft.resolve("boot"), Uptime.boot());
        Path path = root.resolve(name);
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        return new TaskDirectory(path, order, node, Uptime.boot());
    }

    /// Reads the directory of a task that an earlier agent left.
    static TaskDirectory open(Path path) throws IOException {
        return new TaskDirectory(
                path,
                TaskOrder.parseFrom(Files.readAllBytes(path.resolve("order"))),
                Files.readString(path.resolve("node")),
                Files.readString(path.resolve("boot")));
    }

    Path path() {
        return path;
    }

    TaskOrder order() {
        return order;
    }

    TaskRef task() {
        return order.getTask();
    }

    String node() {
        return node;
    }

    /// Whether the machine has not restarted since the task was made.
    boolean ofThisBoot() {
        return boot.equals(Uptime.boot());
    }

    boolean has(String file) {
        return Files.exists(path.resolve(file));
    }

    void write(String file, String content) {
        try {
            AtomicFiles.write(path.resolve(file), content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path.resolve(file), e);
        }
    }

    /// The content of a file, or null where it does not exist (yet).
    @Nullable String read(String file) {
        try {
            return Files.readString(path.resolve(file)).strip();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path.resolve(file), e);
        }
    }

    /// The process that waits for the task and the one that guards it, or null before both exist.
    @Nullable Shim shim() {
        String words = read("shim");
        return words == null ? null : Shim.parse(words);
    }

    /// The process that is the task and leads its session, or null before it started.
    @Nullable Identity leader() {
        String words = read("started");
        if (words == null) {
            return null;
        }
        String[] word = words.split(" ");
        return new Identity(Long.parseLong(word[0]), Long.parseLong(word[1]));
    }

    /// The two processes that stay beside a task.
    record Shim(Identity waiter, Identity guard) {
        static Shim parse(String words) {
            String[] word = words.split(" ");
            return new Shim(
                    new Identity(Long.parseLong(word[0]), Long.parseLong(word[1])),
                    new Identity(Long.parseLong(word[2]), Long.parseLong(word[3])));
        }

        boolean alive() {
            return waiter.alive() || guard.alive();
        }
    }

    LogFiles log() {
        return new LogFiles(path);
    }

    /// When the task ended or was refused, as far as files can tell.
    Instant endedAt() throws IOException {
        Path last = path.resolve(has("exit") ? "exit" : "refused");
        return Files.getLastModifiedTime(last).toInstant();
    }

    void delete() throws IOException {
        delete(path);
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException problem) throws IOException {
                        if (problem != null) {
                            throw problem;
                        }
                        Files.deleteIfExists(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
