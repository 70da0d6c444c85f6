package io.gpusched.agent.task;

import static io.gpusched.agent.Eventually.eventually;

import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskReport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/// A node for tests: a real process host on this machine that converges at every look, and whose
/// agent can be lost and restarted. Closing it ends everything it started.
final class Machine implements AutoCloseable {
    static final String NODE = "n1";

    private final Path directory;
    private final String instance = UUID.randomUUID().toString();
    private final LogLimits limits;
    private ProcessHost host;
    private List<TaskOrder> wanted = List.of();

    Machine(Path directory) {
        this(directory, LogLimits.DEFAULT);
    }

    Machine(Path directory, LogLimits limits) {
        this.directory = directory;
        this.limits = limits;
        this.host = newHost();
        renewLease(Duration.ofMinutes(10));
    }

    /// Forgets everything that is not on disk, as a killed agent does.
    void restartAgent() {
        host = newHost();
    }

    ProcessHost host() {
        return host;
    }

    void renewLease(Duration length) {
        new FileLease(leaseFile(), Duration.ofHours(1)).renew(Uptime.now(), length);
        restartAgent();
    }

    Path leaseFile() {
        return directory.resolve("lease");
    }

    void want(TaskOrder... orders) {
        wanted = List.of(orders);
        host.converge(NODE, wanted);
    }

    TaskReport await(TaskOrder order, Predicate<TaskReport> condition) {
        eventually(
                "task " + TaskNames.name(order.getTask()) + " in the state the test waits for",
                () -> {
                    host.converge(NODE, wanted);
                    return condition.test(report(order));
                },
                () -> report(order));
        return report(order);
    }

    TaskReport.Ended awaitEnd(TaskOrder order) {
        return await(order, TaskReport::hasEnded).getEnded();
    }

    TaskReport report(TaskOrder order) {
        return host.tasks().stream()
                .filter(report -> report.getTask().equals(order.getTask()))
                .findFirst()
                .orElse(TaskReport.getDefaultInstance());
    }

    String log(TaskOrder order) {
        return chunk(order, 0).getContent().toStringUtf8();
    }

    LogChunk chunk(TaskOrder order, long offset) {
        return host.log(
                LogRequest.newBuilder()
                        .setTask(order.getTask())
                        .setOffset(offset)
                        .setMaxBytes(1 << 20)
                        .build());
    }

    Path directoryOf(TaskOrder order) {
        return directory.resolve("tasks").resolve(TaskNames.name(order.getTask()));
    }

    Path workOf(TaskOrder order) {
        return directory.resolve("work").resolve(TaskNames.name(order.getTask()));
    }

    long pidOf(TaskOrder order, String file, int word) {
        try {
            String[] words = Files.readString(directoryOf(order).resolve(file)).split(" ");
            return Long.parseLong(words[word]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All processes that any task of this machine left.
    Set<Long> processes() {
        try {
            return Processes.carrying(TaskNames.COOKIE + "=" + instance);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (TaskReport task : host.tasks()) {
            if (!task.hasEnded() && !task.hasRefused()) {
                wanted =
                        host.tasks().stream()
                                .map(
                                        report ->
                                                TaskOrder.newBuilder()
                                                        .setTask(report.getTask())
                                                        .setStop(
                                                                TaskOrder.Stop.getDefaultInstance())
                                                        .build())
                                .toList();
                break;
            }
        }
        host.converge(NODE, wanted);
        eventually(
                "every task of the test ended",
                () -> host.tasks().stream().allMatch(t -> t.hasEnded() || t.hasRefused()),
                () -> host.tasks());
        eventually("no process left", () -> processes().isEmpty(), this::processes);
    }

    private ProcessHost newHost() {
        try {
            return new ProcessHost(
                    new ProcessHost.Place(directory, instance, NODE),
                    new FileLease(leaseFile(), Duration.ofHours(1)),
                    limits);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
