package io.gpusched.operator.admission;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The tasks of workloads as the agent sees them: it hands orders to the thread of the admission,
/// and has the newest reports of it. Nothing here waits.
final class WorkloadTasks implements TaskHost {
    private final Consumer<TaskRef> acknowledged;
    private final Runnable ordersCame;
    private final Map<String, List<TaskOrder>> orders = new ConcurrentHashMap<>();

    /// Nodes whose orders are from before a break: nothing is started there.
    private final Set<String> restrained = ConcurrentHashMap.newKeySet();

    /// Reports as of the last [#changes].
    private final Map<TaskRef, TaskReport> told = new HashMap<>();

    private volatile List<TaskReport> reports = List.of();
    private volatile Runnable changed = () -> {};

    WorkloadTasks(Consumer<TaskRef> acknowledged, Runnable ordersCame) {
        this.acknowledged = acknowledged;
        this.ordersCame = ordersCame;
    }

    @Override
    public void watch(Runnable whenChanged) {
        changed = whenChanged;
    }

    @Override
    public void converge(String node, List<TaskOrder> wanted) {
        boolean resumed = restrained.remove(node);
        if (!wanted.equals(orders.put(node, wanted)) || resumed) {
            ordersCame.run();
        }
    }

    @Override
    public void restrain(String node, List<TaskOrder> wanted) {
        restrained.add(node);
        if (!wanted.equals(orders.put(node, wanted))) {
            ordersCame.run();
        }
    }

    /// All orders. On a node that is restrained there is none to run.
    List<QueuedWorkload.Ordered> orders() {
        var all = new ArrayList<QueuedWorkload.Ordered>();
        orders.forEach(
                (node, each) -> {
                    boolean waits = restrained.contains(node);
                    for (TaskOrder order : each) {
                        boolean runs = order.hasRun() || order.hasPrepare();
                        TaskOrder may =
                                waits && runs ? order.toBuilder().clearOrder().build() : order;
                        all.add(new QueuedWorkload.Ordered(node, may));
                    }
                });
        return all;
    }

    void publish(List<TaskReport> now) {
        boolean different = !now.equals(reports);
        reports = List.copyOf(now);
        if (different) {
            changed.run();
        }
    }

    @Override
    public List<TaskReport> tasks() {
        return reports;
    }

    @Override
    public HostChanges changes() {
        var before = new HashMap<>(told);
        told.clear();
        var changes = new ArrayList<TaskReport>();
        for (TaskReport report : reports) {
            told.put(report.getTask(), report);
            if (!report.equals(before.remove(report.getTask()))) {
                changes.add(report);
            }
        }
        return new HostChanges(false, changes, List.copyOf(before.keySet()), List.of());
    }

    @Override
    public void acknowledged(TaskRef task) {
        acknowledged.accept(task);
    }

    /// The output is that of pods, and read from them.
    @Override
    public LogChunk log(LogRequest request) {
        return LogChunk.getDefaultInstance();
    }

    @Override
    public LogMark logMark(TaskRef task) {
        return new LogMark(-1, false);
    }

    @Override
    public void tidy() {}
}
