package io.gpusched.agent.task;

import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;
import io.gpusched.wire.proto.agent.TaskReport.Ended;
import io.gpusched.wire.proto.agent.TaskReport.How;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// One running task of this node, as its directory shows it.
///
/// The job runs as the agent's user and can change the directory. So what the shim wrote is read
/// only once, an end is accepted only if no process of the task is left, and a task whose files are
/// damaged is killed and reported as lost.
final class LiveTask {
    private static final Logger log = LoggerFactory.getLogger(LiveTask.class);

    /// If a shim of an earlier agent has not written its pid after this long, it never will.
    private static final long NAMELESS_TICKS = 300;

    private static final int LONGEST_TEXT = 1000;

    private final TaskDirectory directory;
    private final String cookie;
    private final long seenFirst = Uptime.now();
    private boolean acknowledged;
    private boolean complained;
    private @Nullable TaskReport last;
    private @Nullable ProcessHandle child;
    private TaskDirectory.@Nullable Shim shim;
    private TaskDirectory.@Nullable Start start;
    private @Nullable String damage;

    LiveTask(TaskDirectory directory, String cookie) {
        this.directory = directory;
        this.cookie = cookie;
        this.acknowledged = directory.has("acknowledged");
    }

    /// A task whose records cannot be trusted.
    static LiveTask damaged(TaskDirectory directory, String cookie, String damage) {
        LiveTask liveTask = new LiveTask(directory, cookie);
        liveTask.damaged(damage);
        return liveTask;
    }

    TaskRef ref() {
        return directory.task();
    }

    TaskDirectory directory() {
        return directory;
    }

    /// Remembers the process of the shim until the shim has written its pid.
    void startedAs(ProcessHandle process) {
        child = process;
    }

    TaskOrder order() {
        return directory.order();
    }

    /// Reads the task's files and returns the current report.
    TaskReport look() {
        TaskReport known = last;
        if (known != null && over(known)) {
            return known;
        }
        try {
            known = damage == null ? seen() : endedByForce();
        } catch (DamagedException e) {
            damaged(String.valueOf(e.getMessage()));
            known = endedByForce();
        } catch (UncheckedIOException e) { // Too many open files, say. It may pass.
            if (firstTrouble()) {
                log.warn("cannot look at task {}; trying again", TaskNames.name(ref()), e);
            }
            return latest();
        }
        last = known;
        return known;
    }

    /// Whether this is the first problem of this task, so that it is logged once, not ten times a
    /// second.
    boolean firstTrouble() {
        boolean first = !complained;
        complained = true;
        return first;
    }

    private TaskReport latest() {
        TaskReport known = last;
        return known != null
                ? known
                : named(
                        TaskReport.newBuilder()
                                .setPreparing(TaskReport.Preparing.getDefaultInstance()));
    }

    private TaskReport named(TaskReport.Builder report) {
        return report.setTask(ref()).setNodeId(directory.node()).build();
    }

    boolean over() {
        return over(look());
    }

    /// What is wrong with the task's files; null if nothing is.
    @Nullable String damage() {
        return damage;
    }

    private void damaged(String problem) {
        damage = problem;
        log.warn(
                "the agent's files of task {} are damaged, so the agent ends it: {}",
                TaskNames.name(ref()),
                problem);
    }

    /// Whether the scheduler knows how the task ended.
    boolean acknowledged() {
        return acknowledged;
    }

    void acknowledge() {
        acknowledged = true;
    }

    /// A port that was free when the task was prepared, or 0.
    int port() {
        String port = directory.read("port");
        return port == null ? 0 : (int) Math.min(65_535, directory.number("port", port));
    }

    /// Lets the prepared task start.
    ///
    /// @param text the shell text that becomes the task
    void go(Supplier<String> text) {
        if (!directory.has("go")) {
            guarded(() -> directory.write("go", text.get()));
        }
    }

    boolean mayGo() {
        return directory.has("go");
    }

    /// Asks the shim to end the task and to kill it after `graceTicks`. A second call can only move
    /// the kill to an earlier time.
    void stop(long graceTicks, String cause) {
        guarded(
                () -> {
                    long killAt = Uptime.now() + graceTicks;
                    String earlier = directory.read("stop");
                    if (earlier != null
                            && directory.number("stop", earlier.split(" ", 2)[0]) <= killAt) {
                        return;
                    }
                    log.info("stopping task {}: {}", TaskNames.name(ref()), cause);
                    directory.write("stop", killAt + " " + shortened(cause) + "\n");
                    wakeGuard();
                });
    }

    /// Ends a task that was never started. The scheduler receives the reason even if it cannot be
    /// written to disk.
    void refuse(String reason) {
        log.warn("task {} refused: {}", TaskNames.name(ref()), reason);
        last =
                named(
                        TaskReport.newBuilder()
                                .setRefused(
                                        TaskReport.StartRefused.newBuilder()
                                                .setReason(shortened(reason))));
        guarded(() -> directory.write("refused", shortened(reason)));
    }

    /// Records an end that no shim will record.
    void end(String how) {
        guarded(() -> directory.write("exit", how + " - " + Uptime.now() + "\n"));
    }

    private void guarded(Runnable change) {
        if (damage != null) {
            return; // It is being ended already.
        }
        try {
            change.run();
        } catch (DamagedException e) {
            damaged(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) { // A full disk, say. The agent tries again soon.
            if (firstTrouble()) {
                log.warn("cannot write to the files of task {}", TaskNames.name(ref()), e);
            }
        }
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    /// Whether a report says that its task will never run again.
    static boolean over(TaskReport report) {
        return report.hasEnded() || report.hasRefused();
    }

    private TaskReport seen() {
        TaskReport.Builder report = TaskReport.newBuilder();
        String refused = directory.read("refused");
        if (refused != null) {
            return named(
                    report.setRefused(
                            TaskReport.StartRefused.newBuilder().setReason(shortened(refused))));
        }
        if (!directory.has("exit") && abandoned()) {
            endAbandoned();
        }
        String exit = directory.read("exit");
        if (exit != null && nothingLeft()) {
            endShim();
            return named(report.setEnded(ended(exit)));
        }
        TaskDirectory.Start began = start();
        if (began != null) {
            long millis = Uptime.wallClockAt(began.ticks()).toEpochMilli();
            return named(
                    report.setRunning(
                            TaskReport.Running.newBuilder()
                                    .setStartedAtEpochMillis(startedAt(millis))
                                    .setFreePort(port())));
        }
        if (directory.has("shim")) {
            return named(report.setPrepared(TaskReport.Prepared.newBuilder().setFreePort(port())));
        }
        return named(report.setPreparing(TaskReport.Preparing.getDefaultInstance()));
    }

    /// Computed once, so that a report does not change with the wall clock.
    private long startedAt(long millis) {
        return last != null && last.hasRunning()
                ? last.getRunning().getStartedAtEpochMillis()
                : millis;
    }

    /// The shim's processes, as first read; null before they exist or if the files are damaged.
    TaskDirectory.@Nullable Shim shim() {
        if (shim == null && damage == null) {
            shim = directory.shim();
        }
        return shim;
    }

    private TaskDirectory.@Nullable Start start() {
        if (start == null) {
            start = directory.start();
        }
        return start;
    }

    /// Whether no process is left that could record the end of this task.
    private boolean abandoned() {
        if (!directory.ofThisBoot()) {
            return true;
        }
        TaskDirectory.Shim known = shim();
        if (known != null) {
            return !known.alive();
        }
        ProcessHandle ours = child;
        if (ours != null ? ours.isAlive() : Uptime.now() - seenFirst < NAMELESS_TICKS) {
            return false;
        }
        // A shim that turns up even later must find that it may not start.
        directory.write("stop", "0 never prepared\n");
        return true;
    }

    /// Kills the processes that a dead shim left behind, and records the end unless the shim did
    /// so.
    private void endAbandoned() {
        if (directory.ofThisBoot()) {
            // Before we look, so that a task on the very point of starting sees it and does not.
            directory.write("cause", "lost 0\n");
            if (!nothingLeft()) {
                return; // The next look repeats this; the end is reported when all are gone.
            }
        }
        if (!directory.has("exit")) {
            directory.write("exit", "lost - " + Uptime.now() + "\n");
        }
    }

    /// Kills remaining processes; true if none is left. A shim records an end only if there are
    /// none, so a job gains nothing by writing the file itself.
    private boolean nothingLeft() {
        if (!directory.ofThisBoot() || acknowledged) {
            return true;
        }
        try {
            Set<Long> left = new TreeSet<>(Processes.carrying(TaskNames.COOKIE + "=" + cookie));
            TaskDirectory.Start began = start();
            if (began != null) { // It may not have become the task yet, and carry no cookie.
                left.addAll(Processes.inSessionOf(began.leader()));
            }
            Processes.kill(left);
            return left.isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list processes", e);
        }
    }

    /// Kills a shim that has recorded the end.
    private void endShim() {
        TaskDirectory.Shim known = directory.ofThisBoot() ? shim() : null;
        if (known != null) {
            for (Processes.Identity process : List.of(known.waiter(), known.guard())) {
                if (process.alive()) {
                    Processes.kill(Set.of(process.pid()));
                }
            }
        }
    }

    /// Kills a task without its files: its shim and all its processes. Reports it as lost when none
    /// is left.
    private TaskReport endedByForce() {
        try {
            String mark = TaskNames.COOKIE + "=" + cookie;
            Set<Long> left = new TreeSet<>(Processes.watchingOver(mark));
            left.addAll(Processes.carrying(mark));
            TaskDirectory.Start began = start;
            if (began != null) {
                left.addAll(Processes.inSessionOf(began.leader()));
            }
            Processes.kill(left);
            if (!left.isEmpty()) {
                return latest();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list processes", e);
        }
        long now = System.currentTimeMillis();
        Ended.Builder ended =
                Ended.newBuilder()
                        .setHow(How.LOST)
                        .setDetail(
                                shortened(
                                        "the agent's files of this task were damaged, so the agent"
                                                + " ended it: "
                                                + damage))
                        .setEndedAtEpochMillis(now);
        TaskReport known = last;
        if (known != null && known.hasRunning()) {
            ended.setRanMillis(Math.max(0, now - known.getRunning().getStartedAtEpochMillis()));
        }
        return named(TaskReport.newBuilder().setEnded(ended));
    }

    private Ended ended(String exit) {
        String[] fields = exit.split(" ");
        if (fields.length < 3 && !directory.ofThisBoot()) { // Cut short when the power failed.
            fields = new String[] {"lost", "-", "0"};
        }
        long endTicks =
                Math.min(
                        Uptime.now(), directory.number("exit", fields.length < 3 ? "" : fields[2]));
        Ended.Builder ended =
                Ended.newBuilder()
                        .setHow(how(fields[0]))
                        .setDetail(detail(fields[0]))
                        .setEndedAtEpochMillis(
                                directory.ofThisBoot()
                                        ? Uptime.wallClockAt(endTicks).toEpochMilli()
                                        : System.currentTimeMillis());
        if (!fields[1].equals("-")) {
            ended.setExitCode((int) Math.min(255, directory.number("exit", fields[1])));
        }
        TaskDirectory.Start began = start();
        if (began != null && directory.ofThisBoot()) {
            ended.setRanMillis(Math.max(0, endTicks - began.ticks()) * 10);
        }
        return ended.build();
    }

    private static How how(String word) {
        return switch (word) {
            case "exited" -> How.EXITED;
            case "stopped" -> How.STOPPED;
            case "timeout" -> How.TIMEOUT;
            case "lease" -> How.LEASE_EXPIRED;
            default -> How.LOST;
        };
    }

    private String detail(String word) {
        return switch (word) {
            case "exited" -> "";
            case "stopped" -> {
                String stop = directory.read("stop");
                yield stop == null || !stop.contains(" ") ? "" : shortened(stop.split(" ", 2)[1]);
            }
            case "timeout" -> "ran longer than its time limit";
            case "lease" -> "the machine had no contact with the scheduler for too long";
            default ->
                    directory.ofThisBoot()
                            ? "the processes that watch over it were killed"
                            : "the machine restarted";
        };
    }

    /// Wakes the guard, which otherwise checks once a second.
    private void wakeGuard() {
        TaskDirectory.Shim known = shim();
        if (known == null || !known.guard().alive()) {
            return;
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -USR1 " + known.guard().pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            log.debug("cannot wake the guard of {}", TaskNames.name(ref()), e);
        }
    }
}
