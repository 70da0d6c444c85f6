package io.gpusched.operator.admission;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// One host made of two: tasks whose attachment names a workload belong to one, all others to the
/// other.
final class SharedHost implements TaskHost {
    private final WorkloadTasks workloads;
    private final TaskHost others;

    /// Numbers of jobs that stand for workloads.
    private final Set<Long> ours = ConcurrentHashMap.newKeySet();

    SharedHost(WorkloadTasks workloads, TaskHost others) {
        this.workloads = workloads;
        this.others = others;
    }

    private boolean isOurs(TaskOrder order) {
        boolean names = !WorkloadJob.workload(order.getSpec().getAttachment()).isEmpty();
        if (names) {
            ours.add(order.getTask().getJob());
        }
        return names;
    }

    private List<TaskOrder> part(List<TaskOrder> wanted, boolean own) {
        return wanted.stream().filter(order -> isOurs(order) == own).toList();
    }

    private TaskHost host(TaskRef task) {
        return ours.contains(task.getJob()) ? workloads : others;
    }

    @Override
    public void watch(Runnable changed) {
        workloads.watch(changed);
        others.watch(changed);
    }

    @Override
    public void converge(String node, List<TaskOrder> wanted) {
        workloads.converge(node, part(wanted, true));
        others.converge(node, part(wanted, false));
    }

    @Override
    public void restrain(String node, List<TaskOrder> wanted) {
        workloads.restrain(node, part(wanted, true));
        others.restrain(node, part(wanted, false));
    }

    @Override
    public List<TaskReport> tasks() {
        var all = new ArrayList<>(others.tasks());
        for (TaskReport report : workloads.tasks()) {
            ours.add(report.getTask().getJob());
            all.add(report);
        }
        return all;
    }

    @Override
    public HostChanges changes() {
        HostChanges own = workloads.changes();
        HostChanges rest = others.changes();
        own.reports().forEach(report -> ours.add(report.getTask().getJob()));
        if (rest.anything()) {
            return HostChanges.ANYTHING;
        }
        var reports = new ArrayList<>(own.reports());
        reports.addAll(rest.reports());
        var gone = new ArrayList<>(own.gone());
        gone.addAll(rest.gone());
        return new HostChanges(false, reports, gone, rest.nodes());
    }

    @Override
    public void opened(Consumer<NodesChanged> nodes) {
        others.opened(nodes);
    }

    @Override
    public void acknowledged(TaskRef task) {
        host(task).acknowledged(task);
    }

    @Override
    public LogChunk log(LogRequest request) {
        return host(request.getTask()).log(request);
    }

    @Override
    public LogMark logMark(TaskRef task) {
        return host(task).logMark(task);
    }

    @Override
    public void tidy() {
        workloads.tidy();
        others.tidy();
    }
}
