package io.gpusched.operator;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.jobs.JobHost;
import io.gpusched.operator.pods.Attachment;
import io.gpusched.operator.pods.PodHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Passes each task on to the host for its kind: pods that exist are bound, and jobs without pods
/// get pods. The attachment tells which.
///
///     {"kind":"pods", …}             PodHost
///     {"kind":"template", …}, none   JobHost
///
/// It also tells the nodes of the cluster. Only the thread of the agent may use it.
final class ClusterHost implements TaskHost {
    private final ClusterPicture picture;
    private final PodHost pods;
    private final JobHost jobs;

    /// Where changes of nodes are told. Before the first session there is nobody to hear them.
    private Consumer<NodesChanged> session = _ -> {};

    ClusterHost(ClusterPicture picture, PodHost pods, JobHost jobs) {
        this.picture = picture;
        this.pods = pods;
        this.jobs = jobs;
    }

    @Override
    public void watch(Runnable changed) {
        picture.watch(changed);
        pods.watch(changed);
        jobs.watch(changed);
    }

    @Override
    public void converge(String node, List<TaskOrder> wanted) {
        pods.converge(node, only(wanted, true));
        jobs.converge(node, only(wanted, false));
    }

    @Override
    public void restrain(String node, List<TaskOrder> wanted) {
        pods.restrain(node, only(wanted, true));
        jobs.restrain(node, only(wanted, false));
    }

    private static List<TaskOrder> only(List<TaskOrder> orders, boolean ofPods) {
        return orders.stream()
                .filter(order -> Attachment.isPods(order.getSpec().getAttachment()) == ofPods)
                .toList();
    }

    @Override
    public List<TaskReport> tasks() {
        var all = new ArrayList<>(pods.tasks());
        all.addAll(jobs.tasks());
        return List.copyOf(all);
    }

    /// Before the reports: what a task of ours frees, others may use at once.
    @Override
    public HostChanges changes() {
        NodesChanged nodes = picture.changes();
        if (!nodes.equals(NodesChanged.getDefaultInstance())) {
            session.accept(nodes);
        }
        HostChanges first = pods.changes();
        HostChanges second = jobs.changes();
        if (first.anything() || second.anything()) {
            return HostChanges.ANYTHING;
        }
        return new HostChanges(
                false,
                joined(first.reports(), second.reports()),
                joined(first.gone(), second.gone()),
                joined(first.nodes(), second.nodes()));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        var all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    @Override
    public void opened(Consumer<NodesChanged> nodes) {
        session = nodes;
        picture.everything().forEach(nodes);
    }

    @Override
    public void acknowledged(TaskRef task) {
        pods.acknowledged(task);
        jobs.acknowledged(task);
    }

    @Override
    public LogChunk log(LogRequest request) {
        return jobs.knows(request.getTask()) ? jobs.log(request) : pods.log(request);
    }

    @Override
    public LogMark logMark(TaskRef task) {
        return jobs.knows(task) ? jobs.logMark(task) : pods.logMark(task);
    }

    @Override
    public void tidy() {
        pods.tidy();
        jobs.tidy();
    }
}
