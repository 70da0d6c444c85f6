package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    private final Map<TaskRef, PodTask> tasks = new LinkedHashMap<>();
    private final Map<String, PodTask> byPod = new HashMap<>();
    private final Map<String, Set<PodTask>> byNode = new HashMap<>();
    private final Map<PodTask.Run, Set<PodTask>> byRun = new HashMap<>();
    private final GangEnds gangEnds = new GangEnds();

    /// UIDs of the pods of tasks that are not over.
    private final Set<String> counted = ConcurrentHashMap.newKeySet();

    /// The newest assignment of each node as it was received: the agent repeats it many times a
    /// second, and only a new one is worth a look.
    private final Map<String, List<TaskOrder>> seen = new HashMap<>();

    /// Nodes whose assignment is from before a break: nothing is started there.
    private final Set<String> restrained = new HashSet<>();

    /// Bound pods that the scheduler does not name, and pods whose end it has confirmed.
    private final Set<String> disowned = new HashSet<>();

    private @Nullable List<TaskReport> reports;
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
        return counted.contains(uid);
    }

    /// Tasks, and calls that run or wait, for metrics.
    public synchronized int size() {
        return tasks.size();
    }

    public int callsInFlight() {
        return window.size();
    }

    // ------------------------------------------------------------------------------- assignments

    @Override
    public synchronized void converge(String node, List<TaskOrder> wanted) {
        boolean resumed = restrained.remove(node);
        if (!wanted.equals(seen.get(node))) {
            seen.put(node, wanted);
            follow(node, wanted);
        } else if (resumed) {
            byNode.getOrDefault(node, Set.of()).forEach(this::advance);
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
        for (PodTask task : List.copyOf(byNode.getOrDefault(node, Set.of()))) {
            if (!named.contains(task.ref())) {
                unwanted(task);
            }
        }
        for (TaskOrder order : wanted) {
            PodTask task = tasks.get(order.getTask());
            if (task == null) {
                task = created(node, order);
            }
            task.wanted = true;
            if (!task.isOver()) {
                task.wish = wish(order);
                task.cause = order.getStop().getCause();
                advance(task);
            }
        }
    }

    private void unwanted(PodTask task) {
        task.wanted = false;
        task.wish = PodTask.Wish.NOTHING;
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

    private static PodTask.Wish wish(TaskOrder order) {
        return switch (order.getOrderCase()) {
            case PREPARE -> PodTask.Wish.PREPARE;
            case RUN -> PodTask.Wish.RUN;
            case STOP -> PodTask.Wish.STOP;
            case ORDER_NOT_SET -> PodTask.Wish.NOTHING;
        };
    }

    /// Makes the next call for the task, unless one is under way.
    private void advance(PodTask task) {
        if (task.calling || task.isOver()) {
            return;
        }
        boolean mayStart = !restrained.contains(task.node) && task.wanted;
        switch (task.wish) {
            case PREPARE -> {
                if (mayStart && task.stage == PodTask.Stage.NEW) {
                    call(task, PodTask.Wish.PREPARE);
                }
            }
            case RUN -> {
                if (mayStart && task.stage != PodTask.Stage.BOUND) {
                    call(task, PodTask.Wish.RUN);
                }
            }
            case STOP -> {
                if (task.stage != PodTask.Stage.BOUND) {
                    end(task, PodTask.PodEnd.stopped(task.cause));
                } else if (!task.stopping) {
                    call(task, PodTask.Wish.STOP);
                }
            }
            case NOTHING -> {}
        }
    }

    // ------------------------------------------------------------------------- calls about a pod

    private void call(PodTask task, PodTask.Wish what) {
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

    /// All tasks of the run of which this is one.
    private Set<PodTask> run(PodTask task) {
        return byRun.getOrDefault(task.run(), Set.of());
    }

    private synchronized void finished(PodTask task, PodTask.Wish what, CallOutcome outcome) {
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

    private void done(PodTask task, PodTask.Wish what) {
        switch (what) {
            case PREPARE -> {
                task.prepared();
                reports = null;
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
            reports = null;
            long bound = run(task).stream().filter(other -> other.boundOnce).count();
            if (bound >= task.identity.tasks()) {
                gangEnds.markWhole(task.run());
            }
        }
    }

    // ------------------------------------------------------------------- what is seen of the pods

    /// A pod is there, or has changed. A bound pod with our annotations is a task, also if an
    /// earlier operator bound it.
    public synchronized void put(JsonNode pod) {
        String uid = pod.path("metadata").path("uid").asText();
        PodIdentity identity = PodIdentity.of(pod);
        if (identity == null || disowned.contains(uid)) {
            return;
        }
        String node = pod.path("spec").path("nodeName").asText();
        PodTask task = tasks.get(identity.task());
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
        PodTask task = byPod.get(uid);
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
                        || task.wish == PodTask.Wish.STOP
                        || !task.isGang();
        task.ended(alone ? end : gangEnds.report(task, end, run(task)), clock.millis());
        over(task);
    }

    private void over(PodTask task) {
        reports = null;
        counted.remove(task.pod.uid());
        listener.owned(task.pod.uid());
        if (!task.boundOnce) {
            listener.released(task.pod);
        }
    }

    // --------------------------------------------------------------------------------- reporting

    @Override
    public synchronized List<TaskReport> tasks() {
        List<TaskReport> known = reports;
        if (known == null) {
            var all = new ArrayList<TaskReport>(tasks.size());
            for (PodTask task : tasks.values()) {
                if (!task.acknowledged) {
                    all.add(task.report());
                }
            }
            known = List.copyOf(all);
            reports = known;
        }
        return known;
    }

    /// A task whose end is confirmed stays known while the scheduler names it, so that an earlier
    /// assignment does not start it again.
    @Override
    public synchronized void acknowledged(TaskRef ref) {
        PodTask task = tasks.get(ref);
        if (task != null && task.isOver()) {
            task.acknowledged = true;
            reports = null;
            if (!task.wanted) {
                forget(task);
            }
        }
    }

    private void keep(PodTask task) {
        tasks.put(task.ref(), task);
        counted.add(task.pod.uid());
        byPod.put(task.pod.uid(), task);
        byNode.computeIfAbsent(task.node, _ -> new HashSet<>()).add(task);
        byRun.computeIfAbsent(task.run(), _ -> new HashSet<>()).add(task);
        reports = null;
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
        tasks.remove(task.ref());
        if (byPod.remove(task.pod.uid(), task)) {
            counted.remove(task.pod.uid());
        }
        Set<PodTask> there = byNode.get(task.node);
        if (there != null) {
            there.remove(task);
            if (there.isEmpty()) {
                byNode.remove(task.node);
            }
        }
        Set<PodTask> siblings = byRun.get(task.run());
        if (siblings != null) {
            siblings.remove(task);
            if (siblings.isEmpty()) {
                byRun.remove(task.run());
                gangEnds.forget(task.run());
            }
        }
        reports = null;
        listener.owned(task.pod.uid());
    }

    // -------------------------------------------------------------------------------------- logs

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
        return tasks.get(ref);
    }

    @Override
    public void tidy() {
        logs.tidy();
    }

    @Override
    public void close() {
        window.close();
    }
}
