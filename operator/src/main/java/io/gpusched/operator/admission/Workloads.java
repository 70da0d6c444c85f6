package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.cluster.PodUse;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SchedulerUnavailable;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// All workloads, and what is done about them. One thread owns it; a turn compares what each
/// workload, the scheduler and the orders say, and makes the next step.
///
///     workload               orders      step
///     suspended, no job      –           submit
///     suspended              all Run     gate its templates, note the run, release it
///     released               –           give each gated pod its rank and node
///     released               a Stop      suspend it; Ended when its pods are gone
///     complete or failed     –           Ended when its pods are over
///     gone                   –           cancel the job; Ended when its pods are gone
///
/// Everything is level-triggered: a step that fails is made again in a later turn.
final class Workloads {
    private static final Logger log = LoggerFactory.getLogger(Workloads.class);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration RARELY = Duration.ofSeconds(30);

    private final Queueing queueing;
    private final WorkloadCalls calls;
    private final Map<String, QueuedWorkload> admissions = new LinkedHashMap<>();
    private final Map<String, JsonNode> pods = new HashMap<>();

    /// Pods of each workload, made anew for each turn.
    private Map<String, List<JsonNode>> podsOf = Map.of();

    Workloads(Queueing queueing, WorkloadCalls calls) {
        this.queueing = queueing;
        this.calls = calls;
    }

    /// Takes over a job that an earlier operator submitted; its workload is known by now.
    void restore(JobState state, String uid) {
        QueuedWorkload admission = admissions.get(uid);
        if (admission == null) {
            queueing.cancel(state.job());
        } else if (admission.job.isEmpty()) {
            admission.job = state.job();
        }
    }

    void put(Workload workload, Instant now) {
        QueuedWorkload known =
                admissions.computeIfAbsent(workload.uid(), _ -> new QueuedWorkload(workload, now));
        known.workload = workload;
    }

    void remove(String uid) {
        QueuedWorkload admission = admissions.get(uid);
        if (admission != null) {
            admission.gone = true;
        }
    }

    void putPod(JsonNode pod) {
        pods.put(pod.path("metadata").path("uid").asText(), pod);
    }

    void removePod(String uid) {
        pods.remove(uid);
    }

    void acknowledged(TaskRef task) {
        for (QueuedWorkload each : admissions.values()) {
            WorkloadRun run = each.run;
            if (run != null && run.has(task)) {
                each.acknowledge(task);
            }
        }
    }

    List<TaskReport> reports() {
        return admissions.values().stream().flatMap(each -> each.reports().stream()).toList();
    }

    /// UIDs of pods that are tasks, each with that of its workload.
    Map<String, String> taskPods() {
        var found = new HashMap<String, String>();
        pods.forEach(
                (uid, pod) -> {
                    QueuedWorkload admission = admissions.get(Workload.of(pod));
                    if (admission != null && admission.isRunning() && rank(admission, pod) >= 0) {
                        found.put(uid, Workload.of(pod));
                    }
                });
        return found;
    }

    private static int rank(QueuedWorkload admission, JsonNode pod) {
        WorkloadRun run = admission.run;
        return run == null ? -1 : run.rank(pod);
    }

    /// @param ordered all orders that name workloads
    void turn(List<QueuedWorkload.Ordered> ordered, Instant now) {
        podsOf = new HashMap<>();
        pods.values()
                .forEach(
                        pod ->
                                podsOf.computeIfAbsent(Workload.of(pod), _ -> new ArrayList<>())
                                        .add(pod));
        Map<String, List<QueuedWorkload.Ordered>> orders = new HashMap<>();
        for (QueuedWorkload.Ordered each : ordered) {
            String uid = WorkloadJob.workload(each.order().getSpec().getAttachment());
            orders.computeIfAbsent(uid, _ -> new ArrayList<>()).add(each);
        }
        for (QueuedWorkload admission : List.copyOf(admissions.values())) {
            step(admission, orders.getOrDefault(admission.workload.uid(), List.of()), now);
            if (admission.gone && !admission.isLive() && admission.job.isEmpty()) {
                admissions.remove(admission.workload.uid());
            }
        }
    }

    /// One workload must not stop the others.
    private void step(QueuedWorkload admission, List<QueuedWorkload.Ordered> ordered, Instant now) {
        try {
            if (!now.isBefore(admission.callAt)) {
                hear(admission, ordered);
                run(admission, now);
            }
        } catch (KubeException e) {
            failed(admission, e, now);
        } catch (RuntimeException e) {
            log.error("a step of {} failed", admission.workload.reference(), e);
            admission.callAt = now.plus(RARELY);
        }
        try {
            if (!now.isBefore(admission.askAt)) {
                queueing.step(admission, now);
            }
        } catch (SchedulerUnavailable e) {
            admission.askAt = now.plus(SOON);
            queueing.tell(admission, "the scheduler cannot be asked: " + e.getMessage());
        }
    }

    /// Another change came first, the operator's role is too small, or the API server refuses the
    /// object: the user can see which.
    private void failed(QueuedWorkload admission, KubeException e, Instant now) {
        boolean soon = e.isConflict() || e.isTransient();
        admission.callAt = e.isConflict() ? now : now.plus(soon ? SOON : RARELY);
        if (soon || (e.isNotFound() && admission.gone)) {
            log.debug("{}: {}", admission.workload.reference(), e.getMessage());
            return;
        }
        String remedy =
                e.isForbidden()
                        ? "; give the operator's role this verb, as the chart's ClusterRole does"
                        : "";
        String why = "the API server refused a change: " + e.getMessage() + remedy;
        queueing.warn(admission, why);
        if (admission.stage == QueuedWorkload.Stage.ORDERED) {
            admission.refuse(why);
        }
    }

    /// Takes the newest orders for the workload.
    private static void hear(QueuedWorkload admission, List<QueuedWorkload.Ordered> ordered) {
        TaskRef newest =
                ordered.stream()
                        .map(each -> each.order().getTask())
                        .max(
                                Comparator.comparingLong(TaskRef::getJob)
                                        .thenComparingInt(TaskRef::getAttempt)
                                        .thenComparingLong(TaskRef::getTerm))
                        .map(task -> task.toBuilder().setRank(0).build())
                        .orElse(TaskRef.getDefaultInstance());
        WorkloadRun run = admission.run;
        TaskRef current = run != null && admission.isRunning() ? run.first() : newest;
        var orders = new TreeMap<Integer, QueuedWorkload.Ordered>();
        String job = "";
        for (QueuedWorkload.Ordered each : ordered) {
            TaskOrder order = each.order();
            if (order.getTask().toBuilder().setRank(0).build().equals(current)) {
                orders.put(order.getTask().getRank(), each);
                job = order.getSpec().getJobId();
            }
        }
        boolean over = admission.stage == QueuedWorkload.Stage.OVER;
        boolean same = run != null && run.first().equals(current);
        if (over && orders.isEmpty()) {
            admission.orders = orders;
        } else if (!admission.isRunning() && !(over && same)) {
            if (orders.isEmpty()) {
                admission.forgetRun();
            } else if (!over || admission.isAcknowledged()) {
                admission.ordered(new WorkloadRun(current, job, nodes(orders)));
            }
        }
        admission.orders = orders;
    }

    private static List<String> nodes(SortedMap<Integer, QueuedWorkload.Ordered> orders) {
        var nodes = new ArrayList<String>();
        for (int rank = 0; rank <= orders.lastKey(); rank++) {
            QueuedWorkload.Ordered ordered = orders.get(rank);
            nodes.add(ordered == null ? "" : ordered.node());
        }
        return nodes;
    }

    private void run(QueuedWorkload admission, Instant now) {
        WorkloadRun run = admission.run;
        if (run == null) {
            return;
        }
        switch (admission.stage) {
            case NONE -> {}
            case ORDERED -> start(admission, run, now);
            case RELEASED -> released(admission, run, now);
            case STOPPING -> stopping(admission, now);
            case OVER -> over(admission);
        }
    }

    private void start(QueuedWorkload admission, WorkloadRun run, Instant now) {
        Workload workload = admission.workload;
        if (admission.isAnyStopped()) {
            admission.end(TaskReport.How.STOPPED, -1, "stopped before its start", now);
            return;
        }
        if (admission.gone || workload.isLeaving() || workload.isOver()) {
            admission.refuse("the workload no longer exists, or has ended");
            return;
        }
        if (!workload.isSuspended()) {
            admission.refuse("the workload was started by somebody else");
            return;
        }
        WorkloadJob request = admission.request;
        if (request != null && admission.isAllRun(request.tasks())) {
            String problem = calls.release(workload, request.sets(), run);
            if (problem.isEmpty()) {
                admission.released(run, now);
                queueing.admitted(admission);
            } else {
                queueing.warn(admission, problem);
                admission.refuse(problem);
            }
        }
    }

    private void released(QueuedWorkload admission, WorkloadRun run, Instant now) {
        Workload workload = admission.workload;
        if (admission.gone || workload.isOver()) {
            endIfLeft(admission, now);
        } else if (admission.isAnyStopped()) {
            admission.stage = QueuedWorkload.Stage.STOPPING;
            stopping(admission, now);
        } else if (workload.isSuspended()) {
            // The state that is known may be older than the release, which names the run.
            if (workload.annotation(WorkloadRun.ANNOTATION).equals(run.text())
                    && wasSeenRunning(run)) {
                admission.stage = QueuedWorkload.Stage.STOPPING;
            }
        } else {
            place(admission, run);
        }
    }

    /// Whether a pod of the run has its place: then the workload has been running.
    private boolean wasSeenRunning(WorkloadRun run) {
        return podsOf.values().stream().flatMap(List::stream).anyMatch(pod -> run.rank(pod) >= 0);
    }

    private void place(QueuedWorkload admission, WorkloadRun run) {
        var free = new ArrayList<Integer>();
        for (int rank = 0; rank < run.nodes().size(); rank++) {
            free.add(rank);
        }
        var gated = new ArrayList<JsonNode>();
        for (JsonNode pod : podsOf.getOrDefault(admission.workload.uid(), List.of())) {
            int rank = run.rank(pod);
            if (rank >= 0 && !PodUse.isOver(pod)) {
                free.remove(/* element */ (Integer) rank);
            } else if (rank < 0 && PodGate.isOn(pod) && !leaves(pod)) {
                gated.add(pod);
            }
        }
        gated.sort(Comparator.comparing(pod -> pod.path("metadata").path("name").asText()));
        for (JsonNode pod : gated) {
            if (free.isEmpty()) {
                queueing.warn(
                        admission,
                        "it has more pods than were admitted, %d; the others wait"
                                .formatted(run.nodes().size()));
                return;
            }
            calls.place(pod, run, free.removeFirst());
        }
    }

    private static boolean leaves(JsonNode pod) {
        return pod.path("metadata").has("deletionTimestamp") || PodUse.isOver(pod);
    }

    private void stopping(QueuedWorkload admission, Instant now) {
        Workload workload = admission.workload;
        if (!admission.gone && !workload.isOver() && !workload.isSuspended()) {
            calls.suspend(workload);
            return;
        }
        endIfLeft(admission, now);
    }

    /// Ends the tasks once no pod of the workload holds anything on a node.
    private void endIfLeft(QueuedWorkload admission, Instant now) {
        Workload workload = admission.workload;
        for (JsonNode pod : podsOf.getOrDefault(workload.uid(), List.of())) {
            if (!PodUse.isOver(pod)) {
                return;
            }
        }
        if (workload.kind().hasSucceeded(workload.object())) {
            admission.end(TaskReport.How.EXITED, 0, "", now);
        } else if (workload.kind().hasFailed(workload.object())) {
            admission.end(TaskReport.How.EXITED, -1, "the workload failed", now);
        } else {
            String why = admission.gone ? "the workload was deleted" : "the workload is suspended";
            admission.end(TaskReport.How.STOPPED, -1, why, now);
        }
    }

    private void over(QueuedWorkload admission) {
        if (admission.isAcknowledged()) {
            if (!admission.gone
                    && !admission.workload.annotation(WorkloadRun.ANNOTATION).isEmpty()) {
                calls.annotate(admission.workload, WorkloadRun.ANNOTATION, "");
            }
            admission.forgetRun();
        }
    }
}
