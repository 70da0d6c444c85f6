package io.gpusched.operator.jobs;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.agent.task.HostChanges;
import io.gpusched.agent.task.TaskHost;
import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.pods.CallOutcome;
import io.gpusched.operator.pods.CallWindow;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.pods.PodIdentity;
import io.gpusched.operator.pods.PodKey;
import io.gpusched.operator.pods.PodLogs;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Runs jobs of the scheduler as pods: to run a task is to create its pod, to stop it is to delete
/// it.
///
///     order      pod                    what happens
///     Prepare    –                      job, namespace and room are checked; Prepared, or refused
///     Run        –                      created on its node; Running, or refused
///     Stop       –                      nothing is left to do; Ended
///     Stop       exists                 deleted with its grace; Ended when it is gone
///     no more    exists                 as Stop
///     –          succeeded or failed    Ended; kept for its output, and deleted some minutes later
///     –          deleted by others      Ended as lost
///
/// Pods carry their identity in annotations, so a restarted operator finds its tasks again. The
/// state is small and guarded by one lock; calls to the API server run outside of it.
public final class JobHost implements TaskHost, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(JobHost.class);
    private static final long STUCK_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final long MILLIS = 1000;

    private final JobPodCalls calls;
    private final CallWindow window;
    private final PodLogs logs;
    private final Settings settings;
    private final Consumer<String> owned;

    private final Map<TaskRef, JobTask> tasks = new LinkedHashMap<>();
    private final Map<String, JobTask> byPod = new HashMap<>();
    private final Map<String, Set<JobTask>> byNode = new HashMap<>();

    /// UIDs of the pods of tasks that are not over.
    private final Set<String> counted = ConcurrentHashMap.newKeySet();

    private final Map<String, List<TaskOrder>> seen = new HashMap<>();

    /// Nodes whose assignment is from before a break: nothing is started there.
    private final Set<String> restrained = new HashSet<>();

    /// What changed since the agent asked last.
    private final Map<TaskRef, TaskReport> news = new LinkedHashMap<>();

    private final Set<TaskRef> gone = new HashSet<>();

    private volatile Runnable changed = () -> {};

    /// How jobs become pods.
    ///
    /// @param inFlight most requests at a time
    /// @param keep how long the pod of a task that has ended stays for its output
    public record Settings(
            String schedulerName, int inFlight, Duration keep, InstantSource clock) {}

    /// @param owned hears the UID of a pod that became a task, or ceased to be one. Called with the
    ///        lock of the host held: it must not block
    public JobHost(
            KubeApi api,
            ClusterObjects objects,
            ClusterPicture picture,
            Settings settings,
            Consumer<String> owned) {
        this.calls = new JobPodCalls(api, objects, picture, settings.schedulerName());
        this.window = new CallWindow("job-call", settings.inFlight());
        this.logs = new PodLogs(api);
        this.settings = settings;
        this.owned = owned;
    }

    /// Whether an operator made the pod for a job. Another pod with an identity is one that was
    /// bound.
    public static boolean isJobPod(JsonNode pod) {
        return pod.path("metadata")
                .path("annotations")
                .path(JobPod.MODE)
                .asText("")
                .equals(JobPod.OWN);
    }

    @Override
    public void watch(Runnable whenChanged) {
        this.changed = whenChanged;
    }

    /// Whether the pod is a task that the scheduler counts. It takes no lock.
    public boolean isTask(String uid) {
        return counted.contains(uid);
    }

    /// Whether the task is, or was lately, a job's pod.
    public synchronized boolean knows(TaskRef task) {
        return tasks.containsKey(task);
    }

    /// Tasks, for metrics.
    public synchronized int size() {
        return tasks.size();
    }

    private long now() {
        return settings.clock().millis();
    }

    // ------------------------------------------------------------------------------- assignments

    @Override
    public synchronized void converge(String node, List<TaskOrder> wanted) {
        boolean resumed = restrained.remove(node);
        if (!wanted.equals(seen.get(node))) {
            seen.put(node, wanted);
            follow(node, wanted);
        } else if (resumed) {
            List.copyOf(byNode.getOrDefault(node, Set.of())).forEach(this::advance);
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
        for (JobTask task : List.copyOf(byNode.getOrDefault(node, Set.of()))) {
            if (!named.contains(task.ref)) {
                task.wanted = false;
                advance(task);
            }
        }
        for (TaskOrder order : wanted) {
            JobTask task = tasks.get(order.getTask());
            if (task == null) {
                task = kept(new JobTask(order.getTask(), node));
            }
            task.wanted = true;
            task.order = order;
            advance(task);
        }
    }

    /// Makes the next call for the task, unless one is under way.
    private void advance(JobTask task) {
        if (task.calling) {
            return;
        }
        boolean stop = !task.wanted || task.order.getOrderCase() == TaskOrder.OrderCase.STOP;
        if (task.isOver()) {
            forgetIfDone(task);
        } else if (stop) {
            if (task.stage == JobTask.Stage.CREATED) {
                stop(task);
            } else {
                over(task, () -> task.ended(JobEnd.stopped(cause(task)), now()));
                forgetIfDone(task);
            }
        } else if (!restrained.contains(task.node)) {
            begin(task);
        }
    }

    private static String cause(JobTask task) {
        return task.order.getStop().getCause();
    }

    private void begin(JobTask task) {
        TaskOrder order = task.order;
        if (order.hasPrepare() && task.stage == JobTask.Stage.NEW) {
            call(task, () -> calls.prepare(order, task.node), task::prepared);
        } else if (order.hasRun() && task.stage.compareTo(JobTask.Stage.CREATED) < 0) {
            call(task, () -> calls.create(order, task.node), () -> {});
        }
    }

    private void stop(JobTask task) {
        PodKey pod = task.pod;
        if (pod == null || task.stopping) {
            return;
        }
        long millis =
                task.order.hasStop()
                        ? task.order.getStop().getGraceMillis()
                        : task.order.getSpec().getGraceMillis();
        long seconds = Math.max(1, Math.ceilDiv(millis, MILLIS));
        task.stopping = true;
        call(task, () -> calls.delete(pod, seconds), () -> {});
    }

    private void call(JobTask task, Call call, Runnable done) {
        task.calling = true;
        window.run(() -> finished(task, call, done, call.make()));
    }

    /// A request about a pod.
    private interface Call {
        CallOutcome make();
    }

    private synchronized void finished(
            JobTask task, Call call, Runnable done, CallOutcome outcome) {
        task.calling = false;
        switch (outcome) {
            case CallOutcome.Done _ -> {
                if (!task.isOver()) {
                    done.run();
                    tell(task);
                }
            }
            case CallOutcome.Refused refused -> {
                if (!task.isOver()) {
                    over(task, () -> task.refused(refused.why(), refused.retryAfter(), now()));
                }
            }
            case CallOutcome.Later later -> {
                log.debug("{}; trying again in {}", later.why(), later.after());
                again(task, call, done, later.after());
                return;
            }
        }
        advance(task);
        changed.run();
    }

    /// A start that is no longer wanted is not tried again; the pod may exist all the same, and is
    /// then seen.
    private void again(JobTask task, Call call, Runnable done, Duration after) {
        task.calling = true;
        window.after(
                after,
                () -> {
                    synchronized (this) {
                        task.calling = false;
                        boolean starting = task.stage.compareTo(JobTask.Stage.CREATED) < 0;
                        if (starting) {
                            advance(task);
                            return;
                        }
                        call(task, call, done);
                    }
                });
    }

    // ------------------------------------------------------------------- what is seen of the pods

    /// A pod is there, or has changed; pods that are not of jobs are ignored.
    public synchronized void put(JsonNode pod) {
        PodIdentity identity = isJobPod(pod) ? PodIdentity.of(pod) : null;
        if (identity == null) {
            return;
        }
        PodKey key = PodKey.of(pod);
        String node = pod.at("/spec/nodeName").asText();
        JobTask task = tasks.get(identity.task());
        if (task == null) {
            task = kept(new JobTask(identity.task(), node));
        }
        PodKey known = task.pod;
        if (!task.node.equals(node) || known != null && !known.equals(key)) {
            return;
        }
        if (known == null) {
            byPod.put(key.uid(), task);
            if (task.isOver()) { // It was refused while the pod came into being after all.
                task.pod = key;
                call(task, () -> calls.delete(key, 0), () -> {});
                return;
            }
            task.created(key, now());
            tell(task);
            counted.add(key.uid());
            owned.accept(key.uid());
            advance(task);
            changed.run();
        }
        task.look(pod, now());
        if (!task.isOver() && JobEnd.isOver(pod)) {
            JobEnd end = JobEnd.of(pod);
            JobTask ending = task;
            boolean stopped = task.stopping && end.how() != TaskReport.How.TIMEOUT;
            over(
                    task,
                    () ->
                            ending.ended(
                                    stopped
                                            ? new JobEnd(
                                                    TaskReport.How.STOPPED,
                                                    end.code(),
                                                    cause(ending))
                                            : end,
                                    now()));
            changed.run();
        }
    }

    /// The pod no longer exists.
    public synchronized void remove(String uid) {
        JobTask task = byPod.remove(uid);
        if (task == null) {
            return;
        }
        if (!task.isOver()) {
            over(task, () -> task.ended(task.gone(), now()));
            changed.run();
        }
        task.pod = null;
        forgetIfDone(task);
    }

    private void over(JobTask task, Runnable how) {
        how.run();
        tell(task);
        PodKey pod = task.pod;
        if (pod != null) {
            counted.remove(pod.uid());
            owned.accept(pod.uid());
        }
    }

    private JobTask kept(JobTask task) {
        tasks.put(task.ref, task);
        gone.remove(task.ref);
        tell(task);
        byNode.computeIfAbsent(task.node, _ -> new HashSet<>()).add(task);
        return task;
    }

    private void forgetIfDone(JobTask task) {
        if (!task.isOver() || task.wanted || !task.acknowledged || task.pod != null) {
            return;
        }
        tasks.remove(task.ref);
        news.remove(task.ref);
        gone.add(task.ref);
        Set<JobTask> there = byNode.getOrDefault(task.node, new HashSet<>());
        there.remove(task);
        if (there.isEmpty()) {
            byNode.remove(task.node);
        }
    }

    // --------------------------------------------------------------------------------- reporting

    @Override
    public synchronized List<TaskReport> tasks() {
        var all = new ArrayList<TaskReport>(tasks.size());
        for (JobTask task : tasks.values()) {
            if (!task.acknowledged) {
                all.add(task.report());
            }
        }
        return List.copyOf(all);
    }

    private void tell(JobTask task) {
        news.put(task.ref, task.report());
    }

    @Override
    public synchronized HostChanges changes() {
        var changes =
                new HostChanges(false, List.copyOf(news.values()), List.copyOf(gone), List.of());
        news.clear();
        gone.clear();
        return changes;
    }

    @Override
    public synchronized void acknowledged(TaskRef ref) {
        JobTask task = tasks.get(ref);
        if (task != null && task.isOver()) {
            task.acknowledged = true;
            forgetIfDone(task);
        }
    }

    @Override
    public LogChunk log(LogRequest request) {
        PodKey pod = pod(request.getTask());
        if (pod == null) {
            return LogChunk.newBuilder()
                    .setRequest(request.getRequest())
                    .setProblem("the pod of this task is not there; its output is gone with it")
                    .build();
        }
        return logs.read(pod, isOver(request.getTask()), request);
    }

    @Override
    public LogMark logMark(TaskRef ref) {
        PodKey pod = pod(ref);
        return pod == null ? new LogMark(-1, isOver(ref)) : logs.mark(pod, isOver(ref));
    }

    private synchronized @Nullable PodKey pod(TaskRef ref) {
        JobTask task = tasks.get(ref);
        return task == null ? null : task.pod;
    }

    private synchronized boolean isOver(TaskRef ref) {
        JobTask task = tasks.get(ref);
        return task == null || task.isOver();
    }

    /// Deletes pods whose output has been kept for long enough, and those that will never start.
    @Override
    public void tidy() {
        logs.tidy();
        synchronized (this) {
            long now = now();
            for (JobTask task : List.copyOf(tasks.values())) {
                PodKey pod = task.pod;
                boolean old = now - task.overAt >= settings.keep().toMillis();
                if (pod == null || task.calling) {
                    continue;
                }
                if (task.isOver() && task.acknowledged && old) {
                    call(task, () -> calls.delete(pod, 0), () -> {});
                } else if (!task.isOver()
                        && !task.stuck.isEmpty()
                        && now - task.stuckSince >= STUCK_MILLIS) {
                    stop(task);
                }
            }
        }
    }

    @Override
    public void close() {
        logs.close();
        window.close();
    }
}
