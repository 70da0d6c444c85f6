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
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// One task on this machine, from its directory's point of view.
///
/// It holds nothing that could not be read again from disk, except for what it knows of a shim that
/// has not written its name yet.
final class Task {
    private static final Logger log = LoggerFactory.getLogger(Task.class);

    /// A shim of an earlier agent that has not said its name after this long will never do so.
    private static final long NAMELESS_TICKS = 300;

    private final TaskDirectory directory;
    private final String cookie;
    private final long seenFirst = Uptime.now();
    private boolean acknowledged;
    private @Nullable TaskReport last;
    private @Nullable ProcessHandle child;

    Task(TaskDirectory directory, String cookie) {
        this.directory = directory;
        this.cookie = cookie;
        this.acknowledged = directory.has("acknowledged");
    }

    TaskRef ref() {
        return directory.task();
    }

    TaskDirectory directory() {
        return directory;
    }

    /// Remembers that the shim is this process, until it says so itself.
    void startedAs(ProcessHandle shim) {
        child = shim;
    }

    TaskOrder order() {
        return directory.order();
    }

    /// Looks at the disk and says what is true now.
    TaskReport look() {
        TaskReport known = last;
        if (known == null || !over(known)) {
            last = known = report().setTask(ref()).setNodeId(directory.node()).build();
        }
        return known;
    }

    boolean over() {
        return over(look());
    }

    /// Whether the scheduler knows how it ended.
    boolean acknowledged() {
        return acknowledged;
    }

    void acknowledge() {
        directory.write("acknowledged", "");
        acknowledged = true;
    }

    /// A port that was free when the task was prepared, or 0.
    int port() {
        String port = directory.read("port");
        return port == null ? 0 : Integer.parseInt(port);
    }

    /// Lets the prepared task start. The text is what it becomes.
    void go(String text) {
        if (!directory.has("go")) {
            directory.write("go", text);
        }
    }

    boolean mayGo() {
        return directory.has("go");
    }

    /// Asks the shim to end the task, killing what is left after `graceTicks`. A second call can
    /// only make the end come sooner.
    void stop(long graceTicks, String cause) {
        long killAt = Uptime.now() + graceTicks;
        String earlier = directory.read("stop");
        if (earlier != null && Long.parseLong(earlier.split(" ", 2)[0]) <= killAt) {
            return;
        }
        log.info("stopping task {}: {}", TaskNames.name(ref()), cause);
        directory.write("stop", killAt + " " + cause + "\n");
        nudge();
    }

    void refuse(String reason) {
        log.warn("task {} refused: {}", TaskNames.name(ref()), reason);
        directory.write("refused", reason);
    }

    /// Records an end that no shim will record.
    void end(String how) {
        directory.write("exit", how + " - " + Uptime.now() + "\n");
    }

    private static boolean over(TaskReport report) {
        return report.hasEnded() || report.hasRefused();
    }

    private TaskReport.Builder report() {
        TaskReport.Builder report = TaskReport.newBuilder();
        String refused = directory.read("refused");
        if (refused != null) {
            return report.setRefused(TaskReport.StartRefused.newBuilder().setReason(refused));
        }
        if (directory.read("exit") == null && bereft()) {
            bury();
        }
        String exit = directory.read("exit");
        if (exit != null) {
            return report.setEnded(ended(exit));
        }
        String started = directory.read("started");
        if (started != null) {
            long ticks = Long.parseLong(started.split(" ")[2]);
            long millis = Uptime.wallClockAt(ticks).toEpochMilli();
            return report.setRunning(
                    TaskReport.Running.newBuilder()
                            .setStartedAtEpochMillis(startedAt(millis))
                            .setFreePort(port()));
        }
        if (directory.has("shim")) {
            return report.setPrepared(TaskReport.Prepared.newBuilder().setFreePort(port()));
        }
        return report.setPreparing(TaskReport.Preparing.getDefaultInstance());
    }

    /// Computed once, so that a report does not change with every look at the wall clock.
    private long startedAt(long millis) {
        return last != null && last.hasRunning()
                ? last.getRunning().getStartedAtEpochMillis()
                : millis;
    }

    /// Whether nobody is left who could ever record this task's end.
    private boolean bereft() {
        if (!directory.ofThisBoot()) {
            return true;
        }
        TaskDirectory.Shim shim = directory.shim();
        if (shim != null) {
            return !shim.alive();
        }
        ProcessHandle ours = child;
        if (ours != null ? ours.isAlive() : Uptime.now() - seenFirst < NAMELESS_TICKS) {
            return false;
        }
        // A shim that turns up even later must find that it may not start.
        directory.write("stop", "0 never prepared\n");
        return true;
    }

    /// Ends what a dead shim left behind, and records the end unless it did so just before dying.
    private void bury() {
        if (directory.ofThisBoot()) {
            // Before we look, so that a task on the very point of starting sees it and does not.
            directory.write("cause", "lost 0\n");
            Set<Long> left = leftBehind();
            left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            if (!left.isEmpty()) {
                return; // Looked at again in a moment; the end is told when all are gone.
            }
        }
        if (!directory.has("exit")) {
            end("lost");
        }
    }

    private Set<Long> leftBehind() {
        try {
            Set<Long> left = new TreeSet<>(Processes.carrying(TaskNames.COOKIE + "=" + cookie));
            Processes.Identity leader = directory.leader();
            if (leader != null) { // It may not have become the task yet, and carry no cookie.
                left.addAll(Processes.inSessionOf(leader));
            }
            return left;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list processes", e);
        }
    }

    private Ended ended(String exit) {
        String[] words = exit.split(" ");
        if (words.length < 3) { // Cut short when the machine lost power.
            words = new String[] {"lost", "-", Long.toString(Uptime.now())};
        }
        long endTicks = Long.parseLong(words[2]);
        Ended.Builder ended =
                Ended.newBuilder()
                        .setHow(how(words[0]))
                        .setDetail(detail(words[0]))
                        .setEndedAtEpochMillis(
                                directory.ofThisBoot()
                                        ? Uptime.wallClockAt(endTicks).toEpochMilli()
                                        : System.currentTimeMillis());
        exitCode(words[1]).ifPresent(ended::setExitCode);
        String started = directory.read("started");
        if (started != null && directory.ofThisBoot()) {
            ended.setRanMillis((endTicks - Long.parseLong(started.split(" ")[2])) * 10);
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
                yield stop == null || !stop.contains(" ") ? "" : stop.split(" ", 2)[1];
            }
            case "timeout" -> "ran longer than its time limit";
            case "lease" -> "the machine was out of touch with the scheduler for too long";
            default ->
                    directory.ofThisBoot()
                            ? "the processes that watch over it were killed"
                            : "the machine restarted";
        };
    }

    private static OptionalInt exitCode(String word) {
        return word.equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(word));
    }

    /// Lets the guard look at once instead of within a second.
    private void nudge() {
        TaskDirectory.Shim shim = directory.shim();
        if (shim == null || !shim.guard().alive()) {
            return;
        }
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -USR1 " + shim.guard().pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            log.debug("cannot nudge the guard of {}", TaskNames.name(ref()), e);
        }
    }
}
