package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.cluster.PodUse;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Carries out assignments with pods: to prepare a task is to bind its pod for a trial, to run it
/// is to bind it, to stop it is to evict it.
///
///     order      pod is                 what happens
///     Prepare    pending                binding with dryRun; Prepared, or refused
///     Run        pending                binding with the task's identity; Running, or refused
///     Stop       pending                nothing is left to do; Ended
///     Stop       bound                  eviction, again and again while a budget forbids it
///     –          succeeded or failed    Ended
///     –          deleted                Ended
///
/// A pod that is bound and that the scheduler does not name is never touched: a scheduler that lost
/// its data must not cost running work. It counts as foreign from then on.
///
/// The state is small and guarded by one lock; calls to the API server run outside of it.
public final class PodHost implements TaskHost, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodHost.class);
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration GANG_SETTLES = Duration.ofMinutes(1);

    private final PodCalls calls;
    private final CallWindow window;
    private final PodLogs logs;
    private final InstantSource clock;
    private final PodListener listener;

    private final TaskTable tasks = new TaskTable();
    private final GangEnds gangEnds = new GangEnds();

    /// The newest assignment of each node as it was received: the agent repeats it many times a
    /// second, and only a new one is worth a look.
    private final Map<String, List<TaskOrder>> seen = new HashMap<>();

    /// Nodes whose assignment is from before a break: nothing is started there.
    private final Set<String> restrained = new HashSet<>();

    /// Bound pods that the scheduler does not name, and pods whose end it has confirmed.
    private final Set<String> disowned = new HashSet<>();

    private volatile Runnable changed = () -> {};

    /// What others want to know of tasks. Called with the lock of the host held: it must not block.
    public interface PodListener {
        /// The pod became a task, or ceased to be one.
        void owned(String uid);

        /// A task is over whose pod was never bound: the pod still waits, or is gone.
        void released(PodKey pod);
    }

    /// @param inFlight most requests about pods at a time
    public PodHost(
            KubeApi api,
            ClusterObjects objects,
            ClusterPicture picture,
            int inFlight,
            PodListener listener) {
        this.calls = new PodCalls(api, objects, picture);
        this.window = new CallWindow("pod-call", inFlight);
        this.logs = new PodLogs(api);
        this.clock = InstantSource.system();
        this.listener = listener;
    }

    @Override
    public void watch(Runnable whenChanged) {
        this.changed = whenChanged;
    }

    /// Whether the pod is a task that the scheduler counts. It takes no lock, so that it can be
    /// asked from anywhere.
    public boolean isTask(String uid) {
        return tasks.isCounted(uid);
    }

    /// Tasks, and calls that run or wait, for metrics.
    public synchronized int size() {
        return tasks.size();
    }

    public int callsInFlight() {
        return window.size();
    }

    @Override
    public synchronized void converge(String node, List<TaskOrder> wanted) {
        boolean resumed = restrained.remove(node);
        if (!wanted.equals(seen.get(node))) {
            seen.put(node, wanted);
            follow(node, wanted);
        } else if (resumed) {
            tasks.on(node).forEach(this::advance);
        }
    }

    @Override
    public synchronized void restrain(String node, List<TaskOrder> wanted) {
        restrained.add(node);
        if (!wanted.equals(seen.get(node))) {
            seen.put(node, wanted);
            follow(node, wanted);
        }
    }

    private void follow(String node, List<TaskOrder> wanted) {
        Set<TaskRef> named =
                wanted.stream().map(TaskOrder::getTask).collect(Collectors.toUnmodifiableSet());
        for (PodTask task : List.copyOf(tasks.on(node))) {
            if (!named.contains(task.ref())) {
                unwanted(task);
            }
        }
        for (TaskOrder order : wanted) {
            PodTask task = tasks.find(order.getTask());
            if (task == null) {
                task = created(node, order);
            }
            task.wanted = true;
            if (!task.isOver()) {
                task.goal = goal(order);
                task.cause = order.getStop().getCause();
                advance(task);
            }
        }
    }

    private void unwanted(PodTask task) {
        task.wanted = false;
        task.goal = PodTask.Goal.NOTHING;
        if (task.isOver()) {
            if (task.acknowledged) {
                forget(task);
            }
        } else if (task.stage != PodTask.Stage.BOUND && !task.calling) {
            forget(task);
            listener.released(task.pod);
        } else if (task.stage == PodTask.Stage.BOUND) {
            log.warn(
                    "pod {} is bound, and the scheduler no longer counts it as task of {}: it goes"
                            + " on as a pod of others",
                    task.pod,
                    task.identity.job());
            disown(task);
        }
    }

    private PodTask created(String node, TaskOrder order) {
        List<PodKey> pods = Attachment.read(order.getSpec().getAttachment()).pods();
        int rank = order.getTask().getRank();
        PodKey pod = rank < pods.size() ? pods.get(rank) : new PodKey("", "", "");
        String gpus =
                order.getGpusList().stream().map(String::valueOf).collect(Collectors.joining(","));
        var identity =
                new PodIdentity(order.getTask(), order.getSpec().getJobId(), pods.size(), gpus);
        var task = new PodTask(identity, pod, node);
        keep(task);
        if (pod.uid().isEmpty()) {
            task.refused("the job names no pod of this cluster", SOON);
            over(task);
        }
        return task;
    }

    private static PodTask.Goal goal(TaskOrder order) {
        return switch (order.getOrderCase()) {
            case PREPARE -> PodTask.Goal.PREPARE;
            case RUN -> PodTask.Goal.RUN;
            case STOP -> PodTask.Goal.STOP;
            case ORDER_NOT_SET -> PodTask.Goal.NOTHING;
        };
    }

    /// Makes the next call for the task, unless one is under way.
    private void advance(PodTask task) {
        if (task.calling || task.isOver()) {
            return;
        }
        boolean mayStart = !restrained.contains(task.node) && task.wanted;
        switch (task.goal) {
            case PREPARE -> {
                if (mayStart && task.stage == PodTask.Stage.NEW) {
                    call(task, PodTask.Goal.PREPARE);
                }
            }
            case RUN -> {
                if (mayStart && task.stage != PodTask.Stage.BOUND) {
                    call(task, PodTask.Goal.RUN);
                }
            }
            case STOP -> {
                if (task.stage != PodTask.Stage.BOUND) {
                    end(task, PodTask.PodEnd.stopped(task.cause));
                } else if (!task.stopping) {
                    call(task, PodTask.Goal.STOP);
                }
            }
            case NOTHING -> {}
        }
    }

    private void call(PodTask task, PodTask.Goal what) {
        task.calling = true;
        boolean whole = isWhole(task);
        window.run(
                () -> {
                    CallOutcome outcome =
                            switch (what) {
                                case PREPARE -> calls.prepare(task.pod, task.node, task.identity);
                                case RUN -> calls.bind(task.pod, task.node, task.identity);
                                case STOP -> whole ? calls.evict(task.pod) : calls.delete(task.pod);
                                case NOTHING -> new CallOutcome.Done();
                            };
                    finished(task, what, outcome);
                });
    }

    /// Whether all tasks of the run were bound. Where one could not be, the others must not go on,
    /// and no budget protects them: they have only just been bound.
    private boolean isWhole(PodTask task) {
        return !task.isGang() || gangEnds.isWhole(task.run());
    }

    private synchronized void finished(PodTask task, PodTask.Goal what, CallOutcome outcome) {
        task.calling = false;
        if (task.isOver()) {
            return;
        }
        switch (outcome) {
            case CallOutcome.Done _ -> done(task, what);
            case CallOutcome.Refused refused -> {
                if (task.stage != PodTask.Stage.BOUND) {
                    task.refused(refused.why(), refused.retryAfter());
                    over(task);
                }
            }
            case CallOutcome.Later later -> {
                log.debug("{}; trying again in {}", later.why(), later.after());
                task.calling = true;
                window.after(later.after(), () -> again(task));
            }
        }
        if (!task.wanted && !task.isOver()) {
            unwanted(task);
        } else {
            advance(task);
        }
        changed.run();
    }

    private synchronized void again(PodTask task) {
        task.calling = false;
        if (!task.wanted && !task.isOver()) {
            unwanted(task);
        } else {
            advance(task);
        }
    }

    private void done(PodTask task, PodTask.Goal what) {
        switch (what) {
            case PREPARE -> {
                task.prepared();
                tasks.changed(task);
            }
            case RUN -> {
                bound(task);
                if (task.vanished) {
                    end(task, deleted(task));
                }
            }
            case STOP -> task.stopping = true;
            case NOTHING -> {}
        }
    }

    private void bound(PodTask task) {
        if (task.stage != PodTask.Stage.BOUND && !task.isOver()) {
            task.bound(clock.millis());
            tasks.changed(task);
            long bound = tasks.run(task).stream().filter(other -> other.boundOnce).count();
            if (bound >= task.identity.tasks()) {
                gangEnds.markWhole(task.run());
            }
        }
    }

    /// A pod is there, or has changed. A bound pod with our annotations is a task, also if an
    /// earlier operator bound it.
    public synchronized void put(JsonNode pod) {
        String uid = pod.path("metadata").path("uid").asText();
        PodIdentity identity = PodIdentity.of(pod);
        if (identity == null || disowned.contains(uid)) {
            return;
        }
        String node = pod.path("spec").path("nodeName").asText();
        PodTask task = tasks.find(identity.task());
        if (task == null) {
            task = new PodTask(identity, PodKey.of(pod), node);
            keep(task);
            if (wasBoundBefore(pod, clock.instant().minus(GANG_SETTLES))) {
                gangEnds.markWhole(task.run());
            }
        }
        if (task.isOver() || !task.pod.uid().equals(uid) || !task.node.equals(node)) {
            return;
        }
        boolean before = task.stage == PodTask.Stage.BOUND;
        bound(task);
        if (PodUse.isOver(pod)) {
            end(task, PodTask.PodEnd.of(pod));
        }
        if (!before || task.isOver()) {
            advance(task);
            changed.run();
        }
    }

    /// After a restart some pods of a gang may be gone. Those of a gang that was never whole are
    /// deleted within seconds, so a pod that has been bound for longer is one of a whole gang.
    private static boolean wasBoundBefore(JsonNode pod, Instant time) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("True")) {
                try {
                    String at = condition.path("lastTransitionTime").asText();
                    return Instant.parse(at).isBefore(time);
                } catch (DateTimeParseException e) {
                    return false;
                }
            }
        }
        return false;
    }

    /// The pod no longer exists.
    public synchronized void remove(String uid) {
        disowned.remove(uid);
        PodTask task = tasks.ofPod(uid);
        if (task == null || task.isOver()) {
            return;
        }
        task.vanished = true;
        if (task.stage == PodTask.Stage.BOUND) {
            end(task, deleted(task));
        } else if (!task.calling) {
            task.refused("pod " + task.pod + " was deleted", SOON);
            over(task);
        }
        changed.run();
    }

    private static PodTask.PodEnd deleted(PodTask task) {
        return PodTask.PodEnd.stopped(
                task.stopping ? task.cause : "pod " + task.pod + " was deleted");
    }

    private void end(PodTask task, PodTask.PodEnd end) {
        boolean alone =
                task.stage != PodTask.Stage.BOUND
                        || task.goal == PodTask.Goal.STOP
                        || !task.isGang();
        task.ended(alone ? end : gangEnds.report(task, end, tasks.run(task)), clock.millis());
        over(task);
    }

    private void over(PodTask task) {
        tasks.changed(task);
        tasks.release(task);
        listener.owned(task.pod.uid());
        if (!task.boundOnce) {
            listener.released(task.pod);
        }
    }

    @Override
    public synchronized List<TaskReport> tasks() {
        return tasks.all().stream()
                .filter(task -> !task.acknowledged)
                .map(PodTask::report)
                .toList();
    }

    @Override
    public synchronized HostChanges changes() {
        return tasks.takeChanges();
    }

    /// A task whose end is confirmed stays known while the scheduler names it, so that an earlier
    /// assignment does not start it again.
    @Override
    public synchronized void acknowledged(TaskRef ref) {
        PodTask task = tasks.find(ref);
        if (task != null && task.isOver()) {
            task.acknowledged = true;
            if (!task.wanted) {
                forget(task);
            }
        }
    }

    private void keep(PodTask task) {
        tasks.add(task);
        listener.owned(task.pod.uid());
    }

    private void disown(PodTask task) {
        disowned.add(task.pod.uid());
        forget(task);
    }

    private void forget(PodTask task) {
        if (task.boundOnce) {
            // Its object may exist for long, and would be taken for a task again.
            disowned.add(task.pod.uid());
        }
        if (tasks.remove(task)) {
            gangEnds.forget(task.run());
        }
        listener.owned(task.pod.uid());
    }

    @Override
    public LogChunk log(LogRequest request) {
        PodTask task = task(request.getTask());
        if (task == null) {
            return LogChunk.newBuilder()
                    .setRequest(request.getRequest())
                    .setProblem(
                            "the pod of this task is not known any more; see its cluster's logs")
                    .build();
        }
        return logs.read(task.pod, task.isOver(), request);
    }

    @Override
    public LogMark logMark(TaskRef ref) {
        PodTask task = task(ref);
        return task == null ? new LogMark(-1, true) : logs.mark(task.pod, task.isOver());
    }

    private synchronized @Nullable PodTask task(TaskRef ref) {
        return tasks.find(ref);
    }

    @Override
    public void tidy() {
        logs.tidy();
    }

    @Override
    public void close() {
        window.close();
        logs.close();
    }
}
