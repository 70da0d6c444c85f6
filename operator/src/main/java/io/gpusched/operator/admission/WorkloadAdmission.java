package io.gpusched.operator.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.operator.kube.CacheListener;
import io.gpusched.operator.kube.EventRecorder;
import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceCache;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.pods.ClusterObjects;
import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.gpusched.operator.scheduler.SchedulerUnavailable;
import io.gpusched.wire.proto.agent.TaskRef;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Follows the workloads of a cluster and their pods, and lets one thread work on them. Kinds that
/// the cluster does not have are looked for again from time to time.
///
///     admission = new WorkloadAdmission(api, wiring);
///     admission.start();
///     agent = new NodeAgent(…, admission.share(podHost), …);
///
/// To be started by the operator that leads, and closed when it leads no more.
public final class WorkloadAdmission implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkloadAdmission.class);
    private static final Duration TURN = Duration.ofMillis(500);
    private static final Duration DISCOVERY = Duration.ofMinutes(1);

    private final KubeApi api;
    private final Wiring wiring;
    private final JobService scheduler;
    private final Workloads workloads;
    private final WorkloadTasks tasks;
    private final Map<WorkloadKind, ResourceCache<ObjectNode>> caches =
            new ConcurrentSkipListMap<>();
    private final ResourceCache<ObjectNode> podCache;
    private final Map<String, String> undiscovered = new ConcurrentSkipListMap<>();

    /// Changes for the thread; about one for each change of an object.
    private final ConcurrentLinkedQueue<Runnable> mail = new ConcurrentLinkedQueue<>();

    private final Set<String> counted = ConcurrentHashMap.newKeySet();
    private final Semaphore wakeup = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private Instant discoverAt = Instant.MIN;
    private boolean restored;

    /// What admission works with.
    ///
    /// @param labels is told keys of node labels that the scheduler must know
    /// @param owned hears of pods that became tasks of the scheduler, or ceased to be
    /// @param cluster the UID of the cluster
    /// @param schedulerName the scheduler that pods ask for to be jobs of their own
    /// @param namespace only workloads of this namespace; empty for all
    public record Wiring(
            SchedulerRequests scheduler,
            ClusterObjects objects,
            EventRecorder events,
            Consumer<List<String>> labels,
            Consumer<String> owned,
            String cluster,
            String schedulerName,
            String namespace) {}

    public WorkloadAdmission(KubeApi api, Wiring wiring) {
        this(api, wiring, JobService.of(wiring.scheduler()));
    }

    WorkloadAdmission(KubeApi api, Wiring wiring, JobService scheduler) {
        this.api = api;
        this.wiring = wiring;
        this.scheduler = scheduler;
        var calls = new WorkloadCalls(api);
        var queueing =
                new Queueing(
                        new Queueing.Wiring(
                                scheduler,
                                calls,
                                wiring.objects(),
                                wiring.events()::record,
                                wiring.labels(),
                                wiring.cluster(),
                                wiring.schedulerName()));
        this.workloads = new Workloads(queueing, calls);
        this.tasks = new WorkloadTasks(this::acknowledged, wakeup::release);
        var followed =
                new ResourceCache.Followed<>(
                        ResourceType.PODS,
                        query().labelled(Workload.podSelector()),
                        WorkloadAdmission::kept);
        this.podCache =
                new ResourceCache<>(
                        api,
                        followed,
                        new Changes(workloads::putPod, pod -> workloads.removePod(uid(pod))));
        this.thread = Thread.ofPlatform().name("admission").daemon().unstarted(this::run);
    }

    public void start() {
        podCache.start();
        thread.start();
    }

    /// A host that carries out the orders for workloads here, and passes on the others.
    public TaskHost share(TaskHost others) {
        return new SharedHost(tasks, others);
    }

    /// Whether the pod belongs to a task that the scheduler counts. It takes no lock.
    public boolean isTask(String uid) {
        return counted.contains(uid);
    }

    /// Why workloads of a kind are not admitted, by kind. A kind that the cluster does not have is
    /// no problem.
    public Map<String, String> problems() {
        var problems = new TreeMap<>(undiscovered);
        caches.forEach(
                (kind, cache) -> {
                    if (!cache.failure().isEmpty()) {
                        problems.put(kind.plural(), cache.failure());
                    }
                });
        if (!podCache.failure().isEmpty()) {
            problems.put(ResourceType.PODS.plural(), podCache.failure());
        }
        return problems;
    }

    private ListQuery query() {
        return wiring.namespace().isEmpty() ? ListQuery.all() : ListQuery.in(wiring.namespace());
    }

    /// The fields that the API server keeps for itself are large, and nothing here needs them.
    private static ObjectNode kept(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return object;
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    private void acknowledged(TaskRef task) {
        mail.add(() -> workloads.acknowledged(task));
        wakeup.release();
    }

    /// Passes changes on to the thread.
    private final class Changes implements CacheListener<ObjectNode> {
        private final Consumer<ObjectNode> put;
        private final Consumer<ObjectNode> remove;

        Changes(Consumer<ObjectNode> put, Consumer<ObjectNode> remove) {
            this.put = put;
            this.remove = remove;
        }

        @Override
        public void added(ObjectNode now) {
            mail.add(() -> put.accept(now));
            wakeup.release();
        }

        @Override
        public void modified(ObjectNode before, ObjectNode now) {
            added(now);
        }

        @Override
        public void deleted(ObjectNode last) {
            mail.add(() -> remove.accept(last));
            wakeup.release();
        }
    }

    // --------------------------------------------------------------------------------- own thread

    private void run() {
        try {
            while (!closed) {
                guardedTurn(Instant.now());
                boolean _ = wakeup.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
                wakeup.drainPermits();
            }
        } catch (InterruptedException e) {
            log.debug("closed", e);
        }
    }

    /// A mistake of ours in one turn must not end all others.
    private void guardedTurn(Instant now) {
        try {
            turn(now);
        } catch (SchedulerUnavailable e) {
            log.debug("workloads wait: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.error("a turn of the admission failed; it will be repeated", e);
        }
    }

    private void turn(Instant now) {
        if (!now.isBefore(discoverAt)) {
            discoverAt = now.plus(DISCOVERY);
            discover();
        }
        for (Runnable next = mail.poll(); next != null; next = mail.poll()) {
            next.run();
        }
        if (!restored && !isListed()) {
            return; // A workload that is not known yet must not lose its job.
        }
        if (!restored) {
            List<JobState> jobs = new ArrayList<>();
            scheduler.activeJobs(jobs::add);
            for (JobState job : jobs) {
                String uid = WorkloadJob.workload(job, wiring.cluster());
                if (!uid.isEmpty()) {
                    workloads.restore(job, uid);
                }
            }
            restored = true;
        }
        workloads.turn(tasks.orders(), now);
        publish();
    }

    private boolean isListed() {
        return caches.values().stream().allMatch(ResourceCache::isFollowing)
                && podCache.isFollowing()
                && mail.isEmpty()
                && undiscovered.isEmpty();
    }

    private void publish() {
        Set<String> now = workloads.taskPods().keySet();
        var changed = new HashSet<String>(counted);
        changed.addAll(now);
        changed.removeIf(uid -> counted.contains(uid) == now.contains(uid));
        counted.addAll(now);
        counted.retainAll(now);
        changed.forEach(wiring.owned());
        tasks.publish(workloads.reports());
    }

    /// Follows the kinds that the cluster has by now.
    private void discover() {
        for (WorkloadKind kind : WorkloadKind.values()) {
            try {
                if (!caches.containsKey(kind)) {
                    discover(kind);
                }
                undiscovered.remove(kind.plural());
            } catch (KubeException e) {
                String why = String.valueOf(e.getMessage());
                if (!why.equals(undiscovered.put(kind.plural(), why))) {
                    log.warn("{} are not admitted: {}", kind.plural(), why);
                }
            }
        }
    }

    private void discover(WorkloadKind kind) {
        for (String version : kind.versions()) {
            if (isServed(kind, version)) {
                var type =
                        new ResourceType(kind.group(), version, kind.plural(), kind.kind(), true);
                var cache =
                        new ResourceCache<>(
                                api,
                                new ResourceCache.Followed<>(
                                        type, query(), WorkloadAdmission::kept),
                                new Changes(
                                        object ->
                                                workloads.put(
                                                        new Workload(kind, type, object),
                                                        Instant.now()),
                                        last -> workloads.remove(uid(last))));
                caches.put(kind, cache);
                cache.start();
                return;
            }
        }
    }

    private boolean isServed(WorkloadKind kind, String version) {
        try {
            JsonNode resources = api.get("/apis/" + kind.group() + "/" + version).path("resources");
            for (JsonNode each : resources) {
                if (each.path("name").asText().equals(kind.plural())) {
                    return true;
                }
            }
            return false;
        } catch (KubeException e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        caches.values().forEach(ResourceCache::close);
        podCache.close();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
