package io.gpusched.agent.task;

import com.google.protobuf.InvalidProtocolBufferException;

import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/// Keeps the remains of ended tasks: their output, their working directories, and the final report
/// until the scheduler has acknowledged it.
///
///     tasks/7.1.3.0/ended     the final report in protobuf; not acknowledged yet
///     tasks/7.1.3.0/told      the same file after the scheduler acknowledged it
///     tasks/7.1.3.0/log.0     output
///     work/7.1.3.0/           working directory, unless it is empty
///
/// Everything else of a task is deleted when it ends, and very little of it stays in memory.
/// [LogLimits] bounds age, number and bytes. One thread owns the maps; measuring and deleting can
/// take long and run on another thread.
final class EndedTasks {
    private static final Logger log = LoggerFactory.getLogger(EndedTasks.class);
    private static final String ENDED = "ended";
    private static final String TOLD = "told";
    private static final long UNKNOWN = -1;

    private final Path root;
    private final Path work;
    private final List<Trash> trash;
    private final LogLimits limits;
    private final Map<TaskRef, Kept> kept = new LinkedHashMap<>();
    private final Map<TaskRef, TaskReport> untold = new LinkedHashMap<>();
    private final AtomicBoolean sweeping = new AtomicBoolean();

    private static final class Kept {
        private final Instant endedAt;
        private volatile long bytes = UNKNOWN;

        Kept(Instant endedAt) {
            this.endedAt = endedAt;
        }
    }

    /// @param trash for files in `root`
    /// @param workTrash for files in `work`, which may be another file system
    EndedTasks(Path root, Path work, Trash trash, Trash workTrash, LogLimits limits) {
        this.root = root;
        this.work = work;
        this.trash = List.of(trash, workTrash);
        this.limits = limits;
    }

    boolean has(TaskRef task) {
        return kept.containsKey(task);
    }

    /// Final reports that the scheduler has not acknowledged.
    List<TaskReport> unacknowledged() {
        return List.copyOf(untold.values());
    }

    LogFiles log(TaskRef task) {
        return new LogFiles(folder(task));
    }

    /// Takes over the directory of a task that ended under an earlier agent.
    ///
    /// @return whether the task has ended; otherwise it may be running
    boolean adopt(TaskRef task) throws IOException {
        Path folder = folder(task);
        if (AtomicFiles.exists(folder.resolve(TOLD))) {
            kept.put(task, new Kept(modified(folder.resolve(TOLD))));
            return true;
        }
        byte[] bytes = AtomicFiles.read(folder.resolve(ENDED), AtomicFiles.LARGEST);
        if (bytes == null) {
            return false;
        }
        untold.put(task, read(folder.resolve(ENDED), bytes, task));
        kept.put(task, new Kept(modified(folder.resolve(ENDED))));
        return true;
    }

    private static TaskReport read(Path file, byte[] bytes, TaskRef task) {
        TaskReport report;
        try {
            report = TaskReport.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new DamagedException(file + " is not a report: " + e);
        }
        if (!report.getTask().equals(task) || !(report.hasEnded() || report.hasRefused())) {
            throw new DamagedException(file + " is not the report of the end of this task");
        }
        return report;
    }

    /// Keeps output and files of a task that has ended, and deletes the rest.
    ///
    /// @param acknowledged whether the scheduler has already acknowledged the end
    void keep(TaskReport report, Instant endedAt, boolean acknowledged) throws IOException {
        TaskRef task = report.getTask();
        Path folder = Files.createDirectories(folder(task));
        Path file = folder.resolve(acknowledged ? TOLD : ENDED);
        AtomicFiles.write(file, report.toByteArray());
        Files.setLastModifiedTime(file, FileTime.from(endedAt));
        kept.put(task, new Kept(endedAt));
        if (!acknowledged) {
            untold.put(task, report);
        }
        strip(folder);
        dropIfEmpty(folder.resolve("work"));
        dropIfEmpty(work.resolve(TaskNames.name(task)));
    }

    private static void strip(Path folder) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                if (!worthKeeping(path)) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static boolean worthKeeping(Path path) throws IOException {
        String name = path.getFileName().toString();
        if (LogFiles.isLog(name)) {
            return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.size(path) > 0;
        }
        return name.equals(ENDED)
                || name.equals(TOLD)
                || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static void dropIfEmpty(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            return; // The job left something.
        } catch (IOException e) {
            log.debug("cannot delete {}", directory, e);
        }
    }

    /// Notes that the scheduler has durably recorded this end.
    void acknowledge(TaskRef task) {
        if (untold.remove(task) == null) {
            return;
        }
        Path folder = folder(task);
        try {
            Files.move(folder.resolve(ENDED), folder.resolve(TOLD), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) { // A restarted agent reports the end once more, which is harmless.
            log.warn("cannot note that the end of {} was reported: {}", folder, e.toString());
        }
    }

    /// Deletes what exceeds the limits, the oldest first, but nothing that is unacknowledged or
    /// `wanted`. Another thread then measures and frees the disk space.
    void tidy(Predicate<TaskRef> wanted) {
        List<Map.Entry<TaskRef, Kept>> newestFirst = new ArrayList<>(kept.entrySet());
        newestFirst.sort(
                Comparator.comparing(
                        (Map.Entry<TaskRef, Kept> entry) -> entry.getValue().endedAt,
                        Comparator.reverseOrder()));
        Instant oldest = Instant.now().minus(limits.retention());
        long bytes = 0;
        int tasks = 0;
        for (Map.Entry<TaskRef, Kept> entry : newestFirst) {
            Kept task = entry.getValue();
            long size = Math.max(0, task.bytes);
            boolean fits =
                    task.endedAt.isAfter(oldest)
                            && tasks < limits.tasks()
                            && size <= limits.totalBytes() - bytes;
            if (fits || untold.containsKey(entry.getKey()) || wanted.test(entry.getKey())) {
                tasks++;
                bytes += Math.min(size, limits.totalBytes());
            } else {
                drop(entry.getKey());
            }
        }
        sweep();
    }

    private void drop(TaskRef task) {
        try {
            trash.getFirst().take(folder(task));
            trash.getLast().take(work.resolve(TaskNames.name(task)));
            kept.remove(task);
        } catch (IOException e) { // The others are dropped all the same.
            log.warn("cannot delete the files of {}: {}", TaskNames.name(task), e.toString());
        }
    }

    private void sweep() {
        if (!sweeping.compareAndSet(false, true)) {
            return; // The last one still has work to do.
        }
        Map<TaskRef, Kept> fresh = new LinkedHashMap<>();
        kept.forEach(
                (task, one) -> {
                    if (one.bytes == UNKNOWN) {
                        fresh.put(task, one);
                    }
                });
        Thread.ofPlatform()
                .name("agent-tidy")
                .daemon()
                .start(
                        () -> {
                            try {
                                fresh.forEach((task, one) -> one.bytes = measured(task));
                                trash.forEach(Trash::empty);
                            } finally {
                                sweeping.set(false);
                            }
                        });
    }

    private long measured(TaskRef task) {
        long enough = Long.MAX_VALUE / 4;
        return FileTrees.bytes(folder(task), enough)
                + FileTrees.bytes(work.resolve(TaskNames.name(task)), enough);
    }

    private Path folder(TaskRef task) {
        return root.resolve(TaskNames.name(task));
    }

    private static Instant modified(Path file) throws IOException {
        return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
    }
}
