package io.gpusched.agent.task;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.agent.task.Processes.Identity;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// The directory of one live task. It holds everything that is known about the task, for this agent
/// and for a later one.
///
/// Beside the files that the shim describes there are `order` (the order without the job's
/// payload), `node`, `boot`, `port`, `refused` (why the task was not started) and `script` (a long
/// script). An earlier version of the agent also kept the job's working directory here, as `work`,
/// and `acknowledged` (the scheduler knows the end). [EndedTasks] replaces all of it when the task
/// has ended.
///
/// The job can change these files, because it runs as the same user. A method throws a
/// [DamagedException] if it finds something that neither the agent nor the shim can have written.
final class TaskDirectory {
    /// An earlier version of the agent wrote orders with their payload.
    private static final int LARGEST_ORDER = 64 << 20;

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

    /// Creates the directory of a new task, whole or not at all.
    static TaskDirectory create(Path root, String node, TaskOrder order) throws IOException {
        String name = TaskNames.name(order.getTask());
        Path draft = root.resolve(name + ".draft");
        FileTrees.delete(draft);
        Files.createDirectory(
                draft,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        TaskOrder small = withoutPayload(order);
        Files.write(draft.resolve("order"), small.toByteArray());
        Files.writeString(draft.resolve("node"), node);
        Files.writeString(draft.resolve("boot"), Uptime.boot());
        Path path = root.resolve(name);
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        return new TaskDirectory(path, small, node, Uptime.boot());
    }

    /// Reads the directory of a task that an earlier agent left.
    static TaskDirectory open(Path path, TaskRef task) throws IOException {
        byte[] bytes = AtomicFiles.read(path.resolve("order"), LARGEST_ORDER);
        if (bytes == null) {
            throw new DamagedException(path.resolve("order") + " is missing");
        }
        TaskOrder order;
        try {
            order = withoutPayload(TaskOrder.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new DamagedException(path.resolve("order") + " is not an order: " + e);
        }
        if (!order.getTask().equals(task)) {
            throw new DamagedException(path.resolve("order") + " is of another task");
        }
        return new TaskDirectory(path, order, required(path, "node"), required(path, "boot"));
    }

    /// The directory of a task whose records cannot be read; it can only be moved away.
    static TaskDirectory unreadable(Path path, TaskRef task, String node) {
        return new TaskDirectory(
                path, TaskOrder.newBuilder().setTask(task).build(), node, Uptime.boot());
    }

    /// What the agent needs of an order after the task has started. A payload may be a megabyte and
    /// contain secrets; it is neither kept in memory nor written a second time.
    private static TaskOrder withoutPayload(TaskOrder order) {
        return order.toBuilder()
                .clearOrder()
                .setSpec(TaskSpec.newBuilder().setGraceMillis(order.getSpec().getGraceMillis()))
                .build();
    }

    private static String required(Path path, String file) throws IOException {
        byte[] bytes = AtomicFiles.read(path.resolve(file), AtomicFiles.LARGEST);
        if (bytes == null) {
            throw new DamagedException(path.resolve(file) + " is missing");
        }
        return new String(bytes, StandardCharsets.UTF_8);
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

    /// Whether the machine has not restarted since the task was created.
    boolean ofThisBoot() {
        return boot.equals(Uptime.boot());
    }

    boolean has(String file) {
        return AtomicFiles.exists(path.resolve(file));
    }

    void write(String file, String content) {
        try {
            AtomicFiles.write(path.resolve(file), content);
        } catch (NoSuchFileException
                | AccessDeniedException
                | NotDirectoryException
                | DirectoryNotEmptyException e) {
            throw new DamagedException("the agent cannot write " + path.resolve(file) + ": " + e);
        } catch (IOException e) {
            if (Files.isDirectory(path.resolve(file))) {
                throw new DamagedException(path.resolve(file) + " is a directory");
            }
            throw new UncheckedIOException("cannot write " + path.resolve(file), e);
        }
    }

    /// The content of a file; null if it does not exist (yet).
    @Nullable String read(String file) {
        try {
            byte[] bytes = AtomicFiles.read(path.resolve(file), AtomicFiles.LARGEST);
            return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path.resolve(file), e);
        }
    }

    /// The process that waits for the task and the guard; null before both exist.
    @Nullable Shim shim() {
        long[] numbers = numbers("shim", 4);
        return numbers == null
                ? null
                : new Shim(
                        new Identity(numbers[0], numbers[1]), new Identity(numbers[2], numbers[3]));
    }

    /// The first process of the task and its start; null before it started.
    @Nullable Start start() {
        long[] numbers = numbers("started", 3);
        return numbers == null
                ? null
                : new Start(
                        new Identity(numbers[0], numbers[1]), Math.min(Uptime.now(), numbers[2]));
    }

    /// The numbers in a file that contains exactly `count` of them; null if there is no file.
    private long @Nullable [] numbers(String file, int count) {
        String text = read(file);
        if (text == null) {
            return null;
        }
        String[] fields = text.split(" ");
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = number(file, i < fields.length ? fields[i] : "");
        }
        return numbers;
    }

    /// Parses a number that was found in `file`.
    long number(String file, String word) {
        if (!word.matches("[0-9]{1,18}")) {
            throw new DamagedException(
                    path.resolve(file)
                            + ": expected a number, found '"
                            + word.substring(0, Math.min(40, word.length()))
                            + "'");
        }
        return Long.parseLong(word);
    }

    /// The two processes of a shim.
    record Shim(Identity waiter, Identity guard) {
        boolean alive() {
            return waiter.alive() || guard.alive();
        }
    }

    /// The first process of a task, which leads its session, and the uptime at which it started.
    record Start(Identity leader, long ticks) {}

    /// When the task ended or was refused, according to its files; now if they do not say.
    Instant endedAt() {
        try {
            Path file = path.resolve(has("exit") ? "exit" : "refused");
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            return Instant.now();
        }
    }
}
