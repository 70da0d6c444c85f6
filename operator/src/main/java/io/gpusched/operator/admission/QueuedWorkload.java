package io.gpusched.operator.admission;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What is known of the admission of one workload: its job at the scheduler, and its run. It
/// belongs to the thread of [Workloads], and only keeps the state; what to do follows there.
final class QueuedWorkload {
    /// Where the run is.
    enum Stage {
        /// There is none.
        NONE,
        /// Tasks have been ordered, the workload is still suspended.
        ORDERED,
        /// The workload runs, or is about to.
        RELEASED,
        /// It is suspended again, and its pods are leaving.
        STOPPING,
        /// It has ended, and the scheduler is told.
        OVER
    }

    /// An order, and the node that it is for.
    record Ordered(String node, TaskOrder order) {}

    Workload workload;

    /// Whether the object no longer exists.
    boolean gone;

    /// The job's id; empty until there is one.
    String job = "";

    /// How often the workload was submitted before.
    int attempt;

    /// What was submitted; null for a job of an earlier operator.
    @Nullable WorkloadJob request;

    /// When to ask the scheduler next, and when to try the cluster again.
    Instant askAt = Instant.MIN;

    Instant callAt = Instant.MIN;

    /// What the user was told last.
    String told = "";

    Stage stage = Stage.NONE;
    @Nullable WorkloadRun run;
    Map<Integer, Ordered> orders = new TreeMap<>();
    private final Set<TaskRef> acknowledged = new HashSet<>();
    private TaskReport.@Nullable Ended ended;
    private String refused = "";
    private long releasedAt;

    /// @param now when a run that an earlier operator began counts as released
    QueuedWorkload(Workload workload, Instant now) {
        this.workload = workload;
        WorkloadRun before = WorkloadRun.of(workload);
        if (before != null) {
            run = before;
            job = before.job();
            stage = workload.isSuspended() ? Stage.STOPPING : Stage.RELEASED;
            releasedAt = now.toEpochMilli();
        }
    }

    /// Whether the scheduler counts its tasks, or has not been told of their end.
    boolean isLive() {
        return stage != Stage.NONE;
    }

    /// Whether its pods are tasks that the scheduler counts.
    boolean isRunning() {
        return stage == Stage.RELEASED || stage == Stage.STOPPING;
    }

    boolean isAnyStopped() {
        return orders.values().stream().anyMatch(each -> each.order().hasStop());
    }

    boolean isAllRun(int tasks) {
        return orders.size() == tasks
                && orders.values().stream().allMatch(each -> each.order().hasRun());
    }

    void ordered(WorkloadRun next) {
        run = next;
        job = next.job();
        stage = Stage.ORDERED;
        acknowledged.clear();
        ended = null;
        refused = "";
    }

    void released(WorkloadRun with, Instant now) {
        run = with;
        stage = Stage.RELEASED;
        releasedAt = now.toEpochMilli();
    }

    void refuse(String why) {
        refused = why;
        stage = Stage.OVER;
    }

    /// @param code negative where there is none
    void end(TaskReport.How how, int code, String detail, Instant now) {
        var end = TaskReport.Ended.newBuilder().setHow(how).setDetail(detail);
        end.setEndedAtEpochMillis(now.toEpochMilli());
        end.setRanMillis(releasedAt == 0 ? 0 : Math.max(0, now.toEpochMilli() - releasedAt));
        if (code >= 0) {
            end.setExitCode(code);
        }
        ended = end.build();
        stage = Stage.OVER;
    }

    void acknowledge(TaskRef task) {
        acknowledged.add(task);
    }

    boolean isAcknowledged() {
        WorkloadRun now = run;
        if (now == null) {
            return true;
        }
        for (int rank = 0; rank < now.nodes().size(); rank++) {
            if (!acknowledged.contains(now.task(rank)) && !now.nodes().get(rank).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    void forgetRun() {
        stage = Stage.NONE;
        run = null;
        orders = new TreeMap<>();
        releasedAt = 0;
        refused = "";
        ended = null;
        acknowledged.clear();
    }

    /// For each task of the run, as a [TaskHost] reports them.
    List<TaskReport> reports() {
        var reports = new ArrayList<TaskReport>();
        WorkloadRun now = run;
        if (now == null || stage == Stage.NONE) {
            return reports;
        }
        for (int rank = 0; rank < now.nodes().size(); rank++) {
            TaskRef task = now.task(rank);
            if (!acknowledged.contains(task) && !now.nodes().get(rank).isEmpty()) {
                var report = TaskReport.newBuilder().setTask(task);
                report.setNodeId(now.nodes().get(rank));
                state(report);
                reports.add(report.build());
            }
        }
        return reports;
    }

    private void state(TaskReport.Builder report) {
        TaskReport.Ended end = ended;
        if (end != null) {
            report.setEnded(end);
        } else if (stage == Stage.OVER) {
            report.setRefused(
                    TaskReport.StartRefused.newBuilder()
                            .setReason(refused)
                            .setOrdinary(true)
                            .setRetryAfterMillis(1_000));
        } else if (stage == Stage.ORDERED) {
            report.setPrepared(TaskReport.Prepared.getDefaultInstance());
        } else {
            report.setRunning(TaskReport.Running.newBuilder().setStartedAtEpochMillis(releasedAt));
        }
    }
}
