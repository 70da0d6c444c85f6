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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs tasks as processes of this machine, each under a shim that outlives the agent.
///
///     wanted: PREPARE t1, RUN t2, STOP t3          on disk: t2 prepared, t3 running, t4 running
///     → make t1 and start its shim; let t2 go; stop t3; stop t4, which nobody wants
///
/// A task is started at most once: its directory is made before its shim, and a task that has a
/// directory is never made again, whatever happened to its shim.
public final class ProcessHost implements TaskHost {
    private static final Logger log = LoggerFactory.getLogger(ProcessHost.class);

    private final Path root;
    private final String instance;
    private final FileLease lease;
    private final LogLimits limits;
    private final ShimScript script;
    private final Map<TaskRef, Task> tasks = new LinkedHashMap<>();
    private final Map<String, Set<TaskRef>> wantedByNode = new LinkedHashMap<>();

    /// Tasks for which not even a directory could be made, so that their refusal lives in memory.
    private final Map<TaskRef, TaskReport> homeless = new LinkedHashMap<>();

    private Runnable changed = () -> {};

    /// Takes over every task that an earlier agent left in `directory`, running or ended.
    public ProcessHost(Path directory, String instance, FileLease lease, LogLimits limits)
            throws IOException {
        this.root = Files.createDirectories(directory.resolve("tasks"));
        this.instance = instance;
        this.lease = lease;
        this.limits = limits;
        this.script = ShimScript.install(directory);
        adopt();
    }

    @Override
    public void watch(Runnable changed) {
        this.changed = changed;
        tasks.values().forEach(this::notice);
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
        for (Task task : List.copyOf(tasks.values())) {
            if (task.directory().node().equals(node)
                    && !refs.contains(task.ref())
                    && !task.over()) {
                task.stop(graceTicks(task.order()), "no longer wanted");
            }
        }
        wanted.stream().filter(TaskOrder::hasStop).forEach(order -> stop(node, order));
    }

    @Override
    public List<TaskReport> tasks() {
        return Stream.concat(
                        tasks.values().stream()
                                .filter(task -> !task.acknowledged())
                                .map(Task::look),
                        homeless.values().stream())
                .toList();
    }

    @Override
    public void acknowledged(TaskRef ref) {
        Task task = tasks.get(ref);
        if (task != null && task.over()) {
            task.acknowledge();
        }
    }

    @Override
    public LogChunk log(LogRequest request) {
        LogChunk.Builder chunk = LogChunk.newBuilder().setRequest(request.getRequest());
        Task task = tasks.get(request.getTask());
        if (task == null) {
            return chunk.setProblem("no log of this task is kept on this machine").build();
        }
        try {
            boolean ended = task.over();
            return task.directory()
                    .log()
                    .read(request.getOffset(), request.getMaxBytes(), ended)
                    .setRequest(request.getRequest())
                    .build();
        } catch (IOException e) {
            return chunk.setProblem("cannot read the log: " + e.getMessage()).build();
        }
    }

    @Override
    public void tidy() {
        try {
            dropOldest();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tidy up ended tasks in " + root, e);
        }
    }

    private void dropOldest() throws IOException {
        record Old(Task task, Duration age, long bytes) {}
        List<Old> ended = new ArrayList<>();
        for (Task task : tasks.values()) {
            if (task.acknowledged() && !wanted(task)) {
                long age = System.currentTimeMillis() - task.directory().endedAt().toEpochMilli();
                ended.add(new Old(task, Duration.ofMillis(age), task.directory().log().bytes()));
            }
        }
        ended.sort((left, right) -> left.age.compareTo(right.age));
        long sum = 0;
        for (Old old : ended) {
            sum += old.bytes;
            if (old.age.compareTo(limits.retention()) > 0 || sum > limits.totalBytes()) {
                old.task.directory().delete();
                tasks.remove(old.task.ref());
            }
        }
    }

    private boolean wanted(Task task) {
        return wantedByNode.getOrDefault(task.directory().node(), Set.of()).contains(task.ref());
    }

    private void adopt() throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
            for (Path path : all) {
                if (path.getFileName().toString().endsWith(".draft")) {
                    continue; // Replaced when the same task is made again; it never had a shim.
                }
                adopt(path);
            }
        }
    }

    private void adopt(Path path) {
        try {
            TaskDirectory directory = TaskDirectory.open(path);
            Task task = new Task(directory, TaskNames.cookie(instance, directory.task()));
            tasks.put(directory.task(), task);
            if (!task.over()) {
                log.info("took over task {}", TaskNames.name(directory.task()));
            }
        } catch (IOException e) { // Half-written when the machine lost power; it cannot be running.
            log.warn("ignoring the unreadable task directory {}; delete it by hand", path, e);
        }
    }

    private void stop(String node, TaskOrder order) {
        Task task = tasks.get(order.getTask());
        if (task == null) {
            task = made(node, order);
            if (task != null) {
                task.end("stopped"); // Never begun here, and now never will be.
            }
        } else if (!task.over()) {
            task.stop(
                    Uptime.ticks(Duration.ofMillis(order.getStop().getGraceMillis())),
                    order.getStop().getCause());
        }
    }

    private void advance(String node, TaskOrder order) {
        Task task = tasks.get(order.getTask());
        if (task == null) {
            if (!lease.holds() || occupied(node, order)) {
                return; // Not now; the order will still be there.
            }
            task = made(node, order);
            if (task == null || !prepare(task, order)) {
                return;
            }
        } else if (task.over() || !order.hasRun() || task.mayGo()) {
            return;
        }
        if (order.hasRun() && lease.holds()) {
            task.go(goText(task, order));
        }
    }

    /// Makes the task's directory; null, and a refusal, when the disk does not let us.
    private @Nullable Task made(String node, TaskOrder order) {
        if (homeless.containsKey(order.getTask())) {
            return null;
        }
        try {
            TaskDirectory directory = TaskDirectory.create(root, node, order);
            Task task = new Task(directory, TaskNames.cookie(instance, order.getTask()));
            tasks.put(order.getTask(), task);
            if (order.getSlicesCount() > 0) {
                log.info(
                        "task {} uses MIG slices, made by: {}",
                        TaskNames.name(order.getTask()),
                        String.join("; ", MigPlan.commands(order)));
            }
            return task;
        } catch (IOException e) {
            log.error("cannot make a task's directory in {}", root, e);
            homeless.put(
                    order.getTask(),
                    TaskReport.newBuilder()
                            .setTask(order.getTask())
                            .setNodeId(node)
                            .setRefused(
                                    TaskReport.StartRefused.newBuilder()
                                            .setReason("no room for the task: " + e.getMessage()))
                            .build());
            return null;
        }
    }

    private boolean prepare(Task task, TaskOrder order) {
        String problem = problem(order.getSpec());
        if (problem == null) {
            try {
                start(task, order);
                return true;
            } catch (IOException e) {
                problem = "cannot prepare the task: " + e.getMessage();
            }
        }
        task.refuse(problem);
        return false;
    }

    private void start(Task task, TaskOrder order) throws IOException {
        Path directory = task.directory().path();
        TaskSpec spec = order.getSpec();
        Files.createDirectories(directory.resolve("work"));
        if (GoFile.needsScriptFile(spec)) {
            Files.writeString(directory.resolve("script"), spec.getScript());
        }
        task.directory().write("port", Integer.toString(freePort()));
        if (order.hasRun()) {
            task.go(goText(task, order)); // Nothing to wait for between prepared and started.
        }
        ShimScript.Terms terms =
                new ShimScript.Terms(
                        directory,
                        lease.file(),
                        TaskNames.cookie(instance, order.getTask()),
                        Uptime.ticks(Duration.ofMillis(spec.getTimeLimitMillis())),
                        graceTicks(order),
                        limits);
        ProcessHandle shim = script.start(terms).toHandle();
        task.startedAs(shim);
        notice(shim);
    }

    private String goText(Task task, TaskOrder order) {
        Path directory = task.directory().path();
        return GoFile.text(
                order.getSpec(),
                TaskEnvironment.of(
                        order,
                        task.directory().node(),
                        TaskNames.cookie(instance, order.getTask()),
                        task.port(),
                        System.getenv()),
                workingDir(order.getSpec(), directory),
                directory.resolve("script"));
    }

    private static Path workingDir(TaskSpec spec, Path directory) {
        return spec.getWorkingDir().isEmpty()
                ? directory.resolve("work")
                : Path.of(spec.getWorkingDir());
    }

    private static @Nullable String problem(TaskSpec spec) {
        String asked = spec.getWorkingDir();
        if (!asked.isEmpty() && !(asked.startsWith("/") && Files.isDirectory(Path.of(asked)))) {
            return "working directory '"
                    + asked
                    + "' is not an existing directory on this machine, given as an absolute path";
        }
        return TaskEnvironment.problem(spec);
    }

    /// Whether a task that has not ended still holds a GPU that this order wants. The scheduler
    /// does not ask for that, but what cannot be killed may hold a GPU longer than anybody
    /// expected.
    private boolean occupied(String node, TaskOrder order) {
        return tasks.values().stream()
                .filter(task -> task.directory().node().equals(node) && !task.over())
                .map(Task::order)
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

    /// Wakes the agent when the shim of a task that we did not start ourselves ends.
    private void notice(Task task) {
        TaskDirectory.Shim shim = task.over() ? null : task.directory().shim();
        if (shim != null && shim.waiter().alive()) {
            ProcessHandle.of(shim.waiter().pid()).ifPresent(this::notice);
        }
    }

    private void notice(ProcessHandle shim) {
        var _ = shim.onExit().thenRun(() -> changed.run());
    }
}
