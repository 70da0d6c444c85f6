package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskSpec;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Runs tasks as processes of this machine, each under a shim that outlives the agent.
///
///     assigned: PREPARE t1, RUN t2, STOP t3        on disk: t2 prepared, t3 running, t4 running
///     → prepare t1 and start its shim; start t2; stop t3; stop t4, which is not assigned
///
/// A task is started at most once: its directory is created before its shim, and a task that has a
/// directory is never created again, whatever happened to its shim.
///
/// The agent's records are in `tasks` and the jobs' working directories in another directory, so
/// that a job that writes to `..` does not hit them. If the records of a task are damaged all the
/// same, the task is killed, its directory moved to `damaged`, and the task reported as lost. Other
/// tasks are not affected.
public final class ProcessHost implements TaskHost {
    private static final Logger log = LoggerFactory.getLogger(ProcessHost.class);

    private final Place place;
    private final Path root;
    private final FileLease lease;
    private final LogLimits limits;
    private final ShimScript script;
    private final Quarantine quarantine;
    private final EndedTasks ended;
    private final Map<TaskRef, LiveTask> tasks = new LinkedHashMap<>();
    private final Map<String, Set<TaskRef>> wantedByNode = new LinkedHashMap<>();

    /// Tasks for which nothing could be written to disk; their end is kept in memory.
    private final Map<TaskRef, TaskReport> homeless = new LinkedHashMap<>();

    private Runnable changed = () -> {};

    /// The directories of this agent.
    ///
    /// @param data the agent's data directory
    /// @param work the parent of the tasks' working directories
    /// @param instance random id, kept in `data`; distinguishes the tasks of two agents
    /// @param node the node of a task whose records are damaged
    public record Place(Path data, Path work, String instance, String node) {
        /// With the default working directory, inside the data directory.
        public Place(Path data, String instance, String node) {
            this(data, data.resolve("work"), instance, node);
        }
    }

    /// Takes over every task that an earlier agent left, running or ended.
    public ProcessHost(Place place, FileLease lease, LogLimits limits) throws IOException {
        this.place = place;
        this.root = Files.createDirectories(place.data.resolve("tasks"));
        this.lease = lease;
        this.limits = limits;
        this.script = ShimScript.install(place.data);
        Files.createDirectories(
                place.work,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Trash trash = new Trash(place.data.resolve("trash"));
        this.quarantine = new Quarantine(place.data.resolve("damaged"), trash);
        this.ended =
                new EndedTasks(
                        root, place.work, trash, new Trash(place.work.resolve(".trash")), limits);
        adopt(trash);
    }

    @Override
    public void watch(Runnable changed) {
        this.changed = changed;
        tasks.values().forEach(this::watchShim);
    }

    @Override
    public void converge(String node, List<TaskOrder> wanted) {
        restrain(node, wanted);
        wanted.stream().filter(order -> !order.hasStop()).forEach(order -> advance(node, order));
    }

    @Override
    public void restrain(String node, List<TaskOrder> wanted) {
        Set<TaskRef> refs =
                wanted.stream().map(TaskOrder::getTask).collect(Collectors.toUnmodifiableSet());
        wantedByNode.put(node, refs);
        homeless.values()
                .removeIf(
                        report ->
                                report.getNodeId().equals(node)
                                        && !refs.contains(report.getTask()));
        for (LiveTask liveTask : List.copyOf(tasks.values())) {
            if (liveTask.directory().node().equals(node)
                    && !refs.contains(liveTask.ref())
                    && !liveTask.over()) {
                liveTask.stop(graceTicks(liveTask.order()), "no longer wanted");
            }
        }
        wanted.stream().filter(TaskOrder::hasStop).forEach(order -> stop(node, order));
    }

    @Override
    public List<TaskReport> tasks() {
        List<TaskReport> reports = new ArrayList<>();
        for (LiveTask liveTask : List.copyOf(tasks.values())) {
            TaskReport report = liveTask.look();
            boolean kept = LiveTask.over(report) && archive(liveTask, report);
            if (!kept && !liveTask.acknowledged()) {
                reports.add(report);
            }
        }
        reports.addAll(ended.unacknowledged());
        reports.addAll(homeless.values());
        return reports;
    }

    /// Hands an ended task over to [EndedTasks].
    ///
    /// @return whether that was possible; otherwise the next look tries again
    private boolean archive(LiveTask liveTask, TaskReport report) {
        try {
            String damage = liveTask.damage();
            Instant endedAt = damage == null ? liveTask.directory().endedAt() : Instant.now();
            if (damage != null) {
                setAside(liveTask, damage);
            }
            ended.keep(report, endedAt, liveTask.acknowledged());
        } catch (IOException e) {
            if (liveTask.firstTrouble()) {
                log.warn("cannot archive ended task {}", TaskNames.name(liveTask.ref()), e);
            }
            if (!ended.has(liveTask.ref())) {
                return false;
            }
        }
        tasks.remove(liveTask.ref());
        return true;
    }

    /// Moves a damaged directory away and keeps the output of the task.
    private void setAside(LiveTask liveTask, String damage) throws IOException {
        Path path = liveTask.directory().path();
        Path aside = quarantine.take(path, damage);
        Files.createDirectories(path);
        if (!Files.isDirectory(aside, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(aside, "log.*")) {
            for (Path file : all) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(file, path.resolve(file.getFileName()));
                }
            }
        }
    }

    @Override
    public void acknowledged(TaskRef ref) {
        LiveTask liveTask = tasks.get(ref);
        if (liveTask == null) {
            ended.acknowledge(ref);
        } else if (liveTask.over()) {
            liveTask.acknowledge();
        }
    }

    @Override
    public LogChunk log(LogRequest request) {
        LogChunk.Builder chunk = LogChunk.newBuilder().setRequest(request.getRequest());
        LogFiles files = logOf(request.getTask());
        if (files == null) {
            return chunk.setProblem("no log of this task is kept on this machine").build();
        }
        try {
            boolean over = over(request.getTask());
            return files.read(request.getOffset(), request.getMaxBytes(), over)
                    .setRequest(request.getRequest())
                    .build();
        } catch (IOException e) {
            return chunk.setProblem("cannot read the log: " + e.getMessage()).build();
        }
    }

    @Override
    public LogMark logMark(TaskRef task) {
        LogFiles files = logOf(task);
        try {
            return files == null ? new LogMark(-1, true) : new LogMark(files.end(), over(task));
        } catch (IOException e) { // Reading the log will say what is wrong.
            return new LogMark(-1, over(task));
        }
    }

    private @Nullable LogFiles logOf(TaskRef ref) {
        LiveTask liveTask = tasks.get(ref);
        if (liveTask != null) {
            return new LogFiles(liveTask.directory().path());
        }
        return ended.has(ref) ? ended.log(ref) : null;
    }

    private boolean over(TaskRef ref) {
        LiveTask liveTask = tasks.get(ref);
        return liveTask == null || liveTask.over();
    }

    @Override
    public void tidy() {
        ended.tidy(this::wanted);
    }

    private boolean wanted(TaskRef task) {
        return wantedByNode.values().stream().anyMatch(refs -> refs.contains(task));
    }

    private void adopt(Trash trash) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
            for (Path path : all) {
                try {
                    adopt(path, trash);
                } catch (IOException e) { // Whatever it is, the agent works without it.
                    log.warn("cannot take over {}; it is left where it is", path, e);
                }
            }
        }
    }

    private void adopt(Path path, Trash trash) throws IOException {
        String name = path.getFileName().toString();
        TaskRef ref = TaskNames.parse(name);
        if (ref == null) {
            if (name.endsWith(".draft")) { // Half made when the agent died; it never had a shim.
                trash.take(path);
            } else {
                quarantine.take(path, "this is not the name of a task");
            }
            return;
        }
        String cookie = TaskNames.cookie(place.instance, ref);
        try {
            if (ended.adopt(ref)) {
                return;
            }
            tasks.put(ref, new LiveTask(TaskDirectory.open(path, ref), cookie));
            log.info("took over task {}", name);
        } catch (DamagedException e) {
            TaskDirectory unreadable = TaskDirectory.unreadable(path, ref, place.node);
            tasks.put(ref, LiveTask.damaged(unreadable, cookie, String.valueOf(e.getMessage())));
        }
    }

    private void stop(String node, TaskOrder order) {
        if (ended.has(order.getTask())) {
            return;
        }
        LiveTask liveTask = tasks.get(order.getTask());
        if (liveTask == null) {
            liveTask = created(node, order);
            if (liveTask != null) {
                liveTask.end("stopped"); // Never begun here, and now never will be.
            }
        } else if (!liveTask.over()) {
            liveTask.stop(
                    Uptime.ticks(Duration.ofMillis(order.getStop().getGraceMillis())),
                    order.getStop().getCause());
        }
    }

    private void advance(String node, TaskOrder order) {
        if (ended.has(order.getTask())) {
            return; // What has ended stays ended.
        }
        LiveTask liveTask = tasks.get(order.getTask());
        if (liveTask == null) {
            if (!lease.holds() || occupied(node, order)) {
                return; // Not now; the order will still be there.
            }
            liveTask = created(node, order);
            if (liveTask == null || !prepare(liveTask, order)) {
                return;
            }
        } else if (liveTask.over() || !order.hasRun() || liveTask.mayGo()) {
            return;
        }
        if (order.hasRun() && lease.holds()) {
            LiveTask prepared = liveTask;
            liveTask.go(() -> goText(prepared, order));
        }
    }

    /// Creates the task's directory; null, with a refusal, if the disk does not allow it.
    private @Nullable LiveTask created(String node, TaskOrder order) {
        if (homeless.containsKey(order.getTask())) {
            return null;
        }
        try {
            TaskDirectory directory = TaskDirectory.create(root, node, order);
            LiveTask liveTask =
                    new LiveTask(directory, TaskNames.cookie(place.instance, order.getTask()));
            tasks.put(order.getTask(), liveTask);
            if (order.getSlicesCount() > 0) {
                log.info(
                        "task {} uses MIG slices, made by: {}",
                        TaskNames.name(order.getTask()),
                        String.join("; ", MigPlan.commands(order)));
            }
            return liveTask;
        } catch (IOException e) {
            log.error("cannot create the directory of a task in {}", root, e);
            homeless.put(
                    order.getTask(),
                    TaskReport.newBuilder()
                            .setTask(order.getTask())
                            .setNodeId(node)
                            .setRefused(
                                    TaskReport.StartRefused.newBuilder()
                                            .setReason(
                                                    "the agent cannot create a directory for the"
                                                            + " task: "
                                                            + e.getMessage()))
                            .build());
            return null;
        }
    }

    private boolean prepare(LiveTask liveTask, TaskOrder order) {
        String problem = problem(order.getSpec());
        if (problem == null) {
            try {
                start(liveTask, order);
                return true;
            } catch (IOException | UncheckedIOException | DamagedException e) {
                problem = "cannot prepare the task: " + e.getMessage();
            }
        }
        liveTask.refuse(problem);
        return false;
    }

    private void start(LiveTask liveTask, TaskOrder order) throws IOException {
        Path directory = liveTask.directory().path();
        TaskSpec spec = order.getSpec();
        if (spec.getWorkingDir().isEmpty()) {
            Files.createDirectories(ownWorkingDir(liveTask));
        }
        if (StartFile.needsScriptFile(spec)) {
            Files.writeString(directory.resolve("script"), spec.getScript());
        }
        liveTask.directory().write("port", Integer.toString(freePort()));
        if (order.hasRun()) {
            liveTask.go(
                    () ->
                            goText(
                                    liveTask,
                                    order)); // Nothing to wait for between prepared and started.
        }
        ShimScript.Terms terms =
                new ShimScript.Terms(
                        directory,
                        lease.file(),
                        TaskNames.cookie(place.instance, order.getTask()),
                        Uptime.ticks(Duration.ofMillis(spec.getTimeLimitMillis())),
                        graceTicks(order),
                        limits);
        ProcessHandle shim = script.start(terms).toHandle();
        liveTask.startedAs(shim);
        watchShim(shim);
    }

    private String goText(LiveTask liveTask, TaskOrder order) {
        Path directory = liveTask.directory().path();
        return StartFile.text(
                order.getSpec(),
                TaskEnvironment.of(
                        order,
                        liveTask.directory().node(),
                        TaskNames.cookie(place.instance, order.getTask()),
                        liveTask.port(),
                        System.getenv()),
                workingDir(order.getSpec(), liveTask),
                directory.resolve("script"));
    }

    private Path workingDir(TaskSpec spec, LiveTask liveTask) {
        return spec.getWorkingDir().isEmpty()
                ? ownWorkingDir(liveTask)
                : Path.of(spec.getWorkingDir());
    }

    /// The directory of a task that names none. An earlier version of the agent created it inside
    /// the task's own directory, and may have prepared this task.
    private Path ownWorkingDir(LiveTask liveTask) {
        Path earlier = liveTask.directory().path().resolve("work");
        return Files.isDirectory(earlier)
                ? earlier
                : place.work.resolve(TaskNames.name(liveTask.ref()));
    }

    private static @Nullable String problem(TaskSpec spec) {
        String path = spec.getWorkingDir();
        if (!path.isEmpty() && !(path.startsWith("/") && Files.isDirectory(Path.of(path)))) {
            return "working directory '"
                    + path
                    + "' is not an existing directory on this machine, given as an absolute path";
        }
        return TaskEnvironment.problem(spec);
    }

    /// Whether a task that has not ended still holds a GPU that this order needs. The scheduler
    /// avoids that, but a process that cannot be killed may hold a GPU longer than expected.
    private boolean occupied(String node, TaskOrder order) {
        return tasks.values().stream()
                .filter(liveTask -> liveTask.directory().node().equals(node) && !liveTask.over())
                .map(LiveTask::order)
                .filter(held -> whole(held) || whole(order))
                .anyMatch(held -> !Collections.disjoint(held.getGpusList(), order.getGpusList()));
    }

    private static boolean whole(TaskOrder order) {
        return order.getGpuMilli() == 0 || order.getGpuMilli() == 1000;
    }

    private static long graceTicks(TaskOrder order) {
        return Uptime.ticks(Duration.ofMillis(order.getSpec().getGraceMillis()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /// Wakes the agent when the shim of a task that an earlier agent started ends.
    private void watchShim(LiveTask liveTask) {
        try {
            TaskDirectory.Shim shim = liveTask.over() ? null : liveTask.shim();
            if (shim != null && shim.waiter().alive()) {
                ProcessHandle.of(shim.waiter().pid()).ifPresent(this::watchShim);
            }
        } catch (UncheckedIOException | DamagedException e) { // The agent looks again anyway.
            log.debug("cannot watch the shim of {}", TaskNames.name(liveTask.ref()), e);
        }
    }

    private void watchShim(ProcessHandle shim) {
        var _ = shim.onExit().thenRun(() -> changed.run());
    }
}
