package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import io.gpusched.operator.cluster.ClusterPicture;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.scheduler.JobState;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.gpusched.operator.scheduler.SchedulerUnavailable;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Turns waiting pods into jobs: submits one job for each pod or gang, cancels it when its pods are
/// gone or have changed, and tells users why their pods wait.
///
/// One thread owns the queue. It takes the newest state of each changed pod, plans the group of the
/// pod anew, and compares the plan with the jobs that exist; requests run elsewhere and bring their
/// results back to it. What is to be done is level-triggered: a change that comes twice, or a
/// restart, leads to the same jobs, because their idempotency keys are made of the UIDs of pods.
public final class PodQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PodQueue.class);
    private static final long TICK_NANOS = 200_000_000L;
    private static final long OBJECTS_NANOS = 1_000_000_000L;

    private final Wiring wiring;
    private final PodReader podReader;
    private final GroupReader groupReader;
    private final PodTenants tenants;
    private final JobCalls jobCalls;

    private final ReentrantLock mailLock = new ReentrantLock();
    private final Condition mailCame = mailLock.newCondition();

    /// The newest state of pods that changed; a pod that is gone has an empty object. One entry for
    /// each pod at most.
    private final Map<String, JsonNode> changedPods = new LinkedHashMap<>();

    /// Results of requests, and what other threads have to say; about one for each job at most.
    private final List<Runnable> messages = new ArrayList<>();

    private boolean closing;

    private final GroupTable groups = new GroupTable();
    private final Map<String, QueuedJob> jobOfPod = new HashMap<>();
    private final Set<String> blocked = new LinkedHashSet<>();
    private long objectsChangedAt = System.nanoTime() - OBJECTS_NANOS;
    private boolean objectsChanged;
    private final Thread thread = Thread.ofPlatform().name("pod-queue").unstarted(this::run);

    /// What the queue works with.
    ///
    /// @param cluster the UID of the cluster
    /// @param schedulerName the scheduler that pods ask for to be ours
    /// @param namespace only pods of this namespace are ours; empty for all
    public record Wiring(
            SchedulerRequests scheduler,
            ClusterObjects objects,
            ClusterPicture picture,
            PodNotes notes,
            String cluster,
            String schedulerName,
            String namespace) {}

    public PodQueue(Wiring wiring) {
        this.wiring = wiring;
        this.podReader = new PodReader(wiring.objects());
        this.groupReader = new GroupReader(wiring.objects());
        this.tenants = new PodTenants(wiring.objects());
        this.jobCalls = new JobCalls(wiring, tenants, this::post);
    }

    /// Learns which jobs exist, then begins to work.
    ///
    /// @throws SchedulerUnavailable if the scheduler does not tell its jobs
    public void start() {
        wiring.scheduler().activeJobs(this::restore);
        thread.start();
    }

    /// A job of an earlier operator. Its pods may be gone by now; planning finds that out.
    private void restore(JobState state) {
        Attachment attachment = Attachment.read(state.attachment());
        if (!attachment.pods().isEmpty() && attachment.cluster().equals(wiring.cluster())) {
            var job = new QueuedJob(attachment.pods());
            job.id = state.job();
            job.pods.forEach(pod -> jobOfPod.put(pod.uid(), job));
            post(() -> settle(job));
        }
    }

    /// A pod is there, or has changed.
    public void put(JsonNode pod) {
        String name = pod.path("spec").path("schedulerName").asText();
        String namespace = pod.path("metadata").path("namespace").asText();
        boolean ours =
                name.equals(wiring.schedulerName())
                        && (wiring.namespace().isEmpty() || wiring.namespace().equals(namespace));
        if (ours) {
            mail(() -> changedPods.put(pod.path("metadata").path("uid").asText(), pod));
        }
    }

    public void remove(String uid) {
        mail(() -> changedPods.put(uid, MissingNode.getInstance()));
    }

    /// An object that pods refer to has changed: a claim, a volume, a group.
    public void objectsChanged() {
        mail(() -> objectsChanged = true);
    }

    /// A task of this pod is over although the pod was not bound.
    public void released(PodKey pod) {
        post(
                () -> {
                    QueuedJob job = jobOfPod.get(pod.uid());
                    if (job != null) {
                        jobCalls.look(job);
                    }
                });
    }

    /// Pods that are known, for metrics.
    /// The tenant to which the pods of a namespace belong.
    public String tenant(String namespace) {
        return tenants.of(namespace);
    }

    public int size() {
        mailLock.lock();
        try {
            return groups.size();
        } finally {
            mailLock.unlock();
        }
    }

    private void post(Runnable message) {
        mail(() -> messages.add(message));
    }

    private void mail(Runnable put) {
        mailLock.lock();
        try {
            put.run();
            mailCame.signal();
        } finally {
            mailLock.unlock();
        }
    }

    private void run() {
        while (true) {
            var pods = new LinkedHashMap<String, JsonNode>();
            var mail = new ArrayList<Runnable>();
            if (!take(pods, mail)) {
                return;
            }
            try {
                var groupsToPlan = new LinkedHashSet<String>();
                pods.forEach((uid, pod) -> groupsToPlan.addAll(changed(uid, pod)));
                mail.forEach(Runnable::run);
                groupsToPlan.forEach(this::plan);
            } catch (RuntimeException e) { // One pod must not stop the others.
                log.error("a step of the queue failed", e);
            }
        }
    }

    /// Waits for mail, for a tick at most.
    private boolean take(Map<String, JsonNode> pods, List<Runnable> mail) {
        mailLock.lock();
        try {
            long left = TICK_NANOS;
            while (left > 0 && !closing && changedPods.isEmpty() && messages.isEmpty()) {
                left = mailCame.awaitNanos(left);
            }
            pods.putAll(changedPods);
            changedPods.clear();
            mail.addAll(messages);
            messages.clear();
            long now = System.nanoTime();
            if (objectsChanged && now - objectsChangedAt > OBJECTS_NANOS) {
                objectsChanged = false;
                objectsChangedAt = now;
                mail.add(() -> List.copyOf(blocked).forEach(this::readAgain));
            }
            return !closing;
        } catch (InterruptedException e) {
            return false;
        } finally {
            mailLock.unlock();
        }
    }

    /// @return groups to plan again
    private List<String> changed(String uid, JsonNode pod) {
        if (pod.isMissingNode()) {
            wiring.notes().forget(uid);
            List<String> group = groups.remove(uid);
            QueuedJob job = jobOfPod.get(uid);
            if (job != null) {
                settle(job);
            }
            return group;
        }
        QueuedPod read = QueuedPod.of(pod, podReader, groupReader);
        if (read.state() != QueuedPod.State.PENDING) {
            wiring.notes().forget(uid);
        }
        return groups.put(read);
    }

    /// Reads the pods of a group again, because something that they refer to has changed.
    private void readAgain(String group) {
        blocked.remove(group);
        for (QueuedPod pod : List.copyOf(groups.pods(group))) {
            JsonNode now =
                    wiring.objects()
                            .find(ResourceType.PODS, pod.key().namespace(), pod.key().name());
            if (PodKey.of(now).equals(pod.key())) {
                groups.put(QueuedPod.of(now, podReader, groupReader));
            }
        }
        plan(group);
    }

    private void plan(String group) {
        List<QueuedPod> pods = new ArrayList<>();
        Set<QueuedJob> waiting = new LinkedHashSet<>();
        for (QueuedPod pod : groups.pods(group)) {
            QueuedJob job = jobOfPod.get(pod.key().uid());
            boolean starting = job != null && isStarting(job);
            if (job != null && !starting) {
                waiting.add(job);
            }
            pods.add(starting ? pod.withState(QueuedPod.State.BOUND) : pod);
        }
        QueuePlan plan =
                pods.isEmpty() || pods.getFirst().group() != null
                        ? QueuePlan.group(pods)
                        : QueuePlan.alone(pods.getFirst());
        Set<QueuedJob> kept = new LinkedHashSet<>();
        for (List<QueuedPod> ranks : plan.jobs()) {
            kept.addAll(want(ranks));
        }
        for (QueuedJob job : waiting) {
            if (!kept.contains(job)) {
                settle(job);
            }
        }
        if (plan.reasons().isEmpty()) {
            blocked.remove(group);
        } else {
            blocked.add(group);
            plan.reasons().forEach(wiring.notes()::waiting);
        }
    }

    /// A gang of which some pods are bound and others not yet. It goes on as it was planned.
    private boolean isStarting(QueuedJob job) {
        boolean bound = false;
        boolean pending = false;
        for (PodKey pod : job.pods) {
            switch (state(pod)) {
                case PENDING -> pending = true;
                case BOUND -> bound = true;
                case GATED, OVER, LEAVING -> {
                    return false;
                }
            }
        }
        return bound && pending;
    }

    private QueuedPod.State state(PodKey pod) {
        for (QueuedPod each : groups.pods(groups.groupOf(pod.uid()))) {
            if (each.key().equals(pod)) {
                return each.state();
            }
        }
        return QueuedPod.State.LEAVING;
    }

    /// Has a job for these pods.
    ///
    /// @return the job; empty if there can be none
    private List<QueuedJob> want(List<QueuedPod> ranks) {
        String namespace = ranks.getFirst().key().namespace();
        PodJob request = PodJob.of(ranks, wiring.cluster(), tenants.of(namespace));
        if (!request.problem().isEmpty()) {
            request.pods().forEach(pod -> wiring.notes().waiting(pod, request.problem()));
            return List.of();
        }
        wiring.picture().tellLabels(request.labels());
        QueuedJob job = jobOfPod.get(request.pods().getFirst().uid());
        if (job != null && job.pods.equals(request.pods())) {
            PodJob before = job.request;
            if (before == null || before.body().equals(request.body())) {
                job.request = request;
                if (before == null) {
                    jobCalls.adopt(job);
                }
                return List.of(job);
            }
        }
        int attempt = job == null || !job.pods.equals(request.pods()) ? 0 : job.attempt + 1;
        for (PodKey pod : request.pods()) {
            QueuedJob other = jobOfPod.get(pod.uid());
            if (other != null) {
                drop(other);
            }
        }
        var next = new QueuedJob(request.pods());
        next.request = request;
        next.attempt = attempt;
        next.pods.forEach(
                pod -> {
                    jobOfPod.put(pod.uid(), next);
                    wiring.notes().waiting(pod, "");
                });
        jobCalls.submit(next);
        return List.of(next);
    }

    /// Ends the care for a job whose pods are bound, and drops one whose pods have other plans.
    private void settle(QueuedJob job) {
        boolean allBound = true;
        boolean allPending = true;
        for (PodKey pod : job.pods) {
            QueuedPod.State state = state(pod);
            allBound &= state == QueuedPod.State.BOUND || state == QueuedPod.State.OVER;
            allPending &= state == QueuedPod.State.PENDING;
        }
        if (allBound) {
            job.dropped = true;
            forget(job);
        } else if (!isStarting(job) && !(allPending && job.request == null)) {
            drop(job);
        }
    }

    private void drop(QueuedJob job) {
        forget(job);
        if (!job.dropped) {
            job.dropped = true;
            jobCalls.cancel(job);
        }
    }

    private void forget(QueuedJob job) {
        job.pods.forEach(pod -> jobOfPod.remove(pod.uid(), job));
    }

    @Override
    public void close() {
        mail(() -> closing = true);
        jobCalls.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
