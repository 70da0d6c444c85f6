package io.gpusched.sim.audit;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The simplest possible ledger: it stores facts as they arrive and computes every sum from
/// scratch. It is slow on purpose; the fast ledger must agree with it after every event.
public final class NaiveLedger {
    private final SortedMap<JobId, Job> jobs = new TreeMap<>();
    private final SortedMap<NodeId, Node> nodes = new TreeMap<>();
    private final Map<NodeId, NodeStatus> statuses = new TreeMap<>();
    private final Map<NodeId, SortedMap<Integer, GpuCondition>> conditions = new TreeMap<>();
    private final Map<NodeId, List<ForeignTask>> foreign = new TreeMap<>();
    private final SortedMap<TenantId, Tenant> tenants = new TreeMap<>();
    private final Map<ClaimId, Claim> claims = new LinkedHashMap<>();

    public NaiveLedger() {
        tenants.put(Tenant.DEFAULT, Tenant.unlimited(Tenant.DEFAULT));
    }

    public void apply(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> jobs.put(e.job(), e.entering());
            case Event.JobUpdated e ->
                    jobs.compute(e.job(), (id, job) -> the(job).withPriority(e.priority(), e.at()));
            case Event.JobHeld e -> move(e.job(), new Phase.Held(e.at(), e.why()));
            case Event.JobReleased e ->
                    jobs.compute(e.job(), (id, job) -> the(job).released(e.at()));
            case Event.AttemptPlaced e -> placed(e);
            case Event.TaskChanged e -> task(e);
            case Event.AttemptRunning e ->
                    move(e.attempt().job(), new Phase.Running(run(e.attempt()), e.at()));
            case Event.AttemptStopping e -> stopping(e);
            case Event.StartRefused e -> refused(e);
            case Event.AvoidanceEnded e ->
                    jobs.put(e.job(), the(jobs.get(e.job())).avoidingNoLonger(e.node()));
            case Event.JobRequeued e -> requeued(e);
            case Event.CapacityChosen e -> chosen(e);
            case Event.JobEnded e -> ended(e);
            case Event.ClaimMade e -> claims.put(e.claim().id(), e.claim());
            case Event.ClaimDropped e -> claims.remove(e.claim());
            case Event.NodeJoined e -> joined(e.node());
            case Event.NodeChanged e -> changed(e);
            case Event.NodeRemoved e -> removed(e.node());
            case Event.GpuChanged e ->
                    conditions
                            .computeIfAbsent(e.node(), id -> new TreeMap<>())
                            .put(e.gpu(), e.condition());
            case Event.ForeignChanged e -> foreign.put(e.node(), e.all());
            case Event.TenantPut e -> tenants.put(e.tenant().id(), e.tenant());
            case Event.TenantRemoved e -> tenants.remove(e.tenant());
            case Event.AgentJoined _, Event.AgentLost _, Event.TaskIdle _, Event.SpotSeen _ -> {}
            case Event.RefusalConfirmed e -> {}
            case Event.PoolPut e -> {}
            case Event.PoolLoadChanged e -> {}
            case Event.PoolRemoved e -> {}
            case Event.PoolHeld e -> {}
            case Event.PoolRecommended e -> {}
            case Event.PoolScaled e -> {}
            case Event.PoolLapsed e -> {}
            case Event.PoolChoice e -> {}
            case Event.ReplicaDraining e -> {}
            case Event.ModelPut e -> {}
            case Event.ModelRemoved e -> {}
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> {}
            case Event.BindingPut e -> {}
            case Event.BindingRemoved e -> {}
            case Event.ModelCached _, Event.ModelWanted _, Event.ModelUnwanted _ -> {}
            case Event.MarketChanged _, Event.ForecastPut _, Event.ForecastRemoved _ -> {}
            case Event.Observed e -> {}
            case Event.Scored e -> {}
            case Event.RetentionChanged e -> {}
            case Event.Imported e -> {}
            case Event.EngineStarted e -> startsCountFrom(e.at(), job -> true);
            case Event.OrdersDelayed e -> startsCountFrom(e.at(), job -> true);
            case Event.LeaseBound e -> {}
            case Event.PolicyChanged e -> {}
        }
    }

    private void chosen(Event.CapacityChosen e) {
        Job job = the(jobs.get(e.job()));
        jobs.put(e.job(), job.with(job.spec().on(e.rule())));
    }

    private void changed(Event.NodeChanged e) {
        NodeStatus before = statuses.put(e.node(), e.status());
        boolean wasUp = before == null || before.reach() == NodeStatus.Reach.UP;
        if (!wasUp && e.status().reach() == NodeStatus.Reach.UP) {
            startsCountFrom(e.at(), run -> isOn(run, e.node()));
        }
    }

    private void startsCountFrom(Instant when, Predicate<Run> which) {
        jobs.replaceAll(
                (id, job) ->
                        job.phase() instanceof Phase.Starting p && which.test(p.run())
                                ? job.with(p.countedFrom(when))
                                : job);
    }

    private static boolean isOn(Run run, NodeId node) {
        return run.on().slots().stream().anyMatch(slot -> slot.node().equals(node));
    }

    public List<Job> jobs() {
        return List.copyOf(jobs.values());
    }

    public @Nullable Job job(JobId id) {
        return jobs.get(id);
    }

    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    public List<Tenant> tenants() {
        return List.copyOf(tenants.values());
    }

    public List<Claim> claims() {
        return List.copyOf(claims.values());
    }

    public NodeStatus status(NodeId node) {
        return statuses.getOrDefault(node, NodeStatus.READY);
    }

    /// Waiting, held and postponed.
    public long waitingJobs() {
        return jobs.values().stream()
                .filter(job -> job.waiting() || job.phase() instanceof Phase.Held)
                .count();
    }

    public List<Job> holders() {
        return jobs.values().stream().filter(job -> job.phase().run() != null).toList();
    }

    /// Running jobs that may be preempted, lowest priority first, then by id.
    public List<Job> preemptible() {
        return holders().stream()
                .filter(
                        job -> {
                            Tenant tenant = tenants.get(job.tenant());
                            return tenant != null && tenant.rules().mayBePreempted();
                        })
                .sorted(Comparator.comparingInt(Job::priority).thenComparing(Job::id))
                .toList();
    }

    public Usage usage(TenantId of) {
        Usage sum = Usage.NONE;
        for (Job job : holders()) {
            Tenant tenant = tenants.get(job.tenant());
            while (tenant != null) {
                sum = tenant.id().equals(of) ? sum.plus(Usage.of(job.spec())) : sum;
                tenant = tenant.parent() == null ? null : tenants.get(tenant.parent());
            }
        }
        return sum;
    }

    public int tasks(NodeId node) {
        return slots(node).size();
    }

    /// The jobs with a task on the node, by id.
    public List<JobId> jobsOn(NodeId node) {
        return holders().stream()
                .filter(
                        job ->
                                the(job.phase().run()).on().slots().stream()
                                        .anyMatch(slot -> slot.node().equals(node)))
                .map(Job::id)
                .toList();
    }

    /// Healthy GPUs that no task uses and no claim reserves.
    public long freeGpus(NodeId node) {
        long free = the(nodes.get(node)).allGpus();
        for (Slot slot : slots(node)) {
            free &= ~slot.grant().mask();
        }
        for (ForeignTask other : foreign.getOrDefault(node, List.of())) {
            free &= ~other.slot().grant().mask();
        }
        for (Slot slot : claimed(node)) {
            free &= ~slot.grant().mask();
        }
        return free & ~unfitGpus(node);
    }

    public long unfitGpus(NodeId node) {
        return mask(node, condition -> !condition.fit());
    }

    public long hotGpus(NodeId node) {
        return mask(node, condition -> condition.heat() == Heat.HOT);
    }

    /// Free cores and memory, less what claims reserve; the claims may exceed what is free.
    public long freeMilliCpu(NodeId node) {
        return the(nodes.get(node)).host().milliCpu() - taken(node).milliCpu();
    }

    public long freeMemoryMiB(NodeId node) {
        return the(nodes.get(node)).host().memoryMiB() - taken(node).memoryMiB();
    }

    private Resources taken(NodeId node) {
        Resources sum = Resources.NONE;
        for (Slot slot : slots(node)) {
            sum = sum.plus(slot.host());
        }
        for (Slot slot : claimed(node)) {
            sum = sum.plus(slot.host());
        }
        for (ForeignTask other : foreign.getOrDefault(node, List.of())) {
            sum = sum.plus(other.slot().host());
        }
        return sum;
    }

    private List<Slot> slots(NodeId node) {
        return holders().stream()
                .flatMap(job -> the(job.phase().run()).on().slots().stream())
                .filter(slot -> slot.node().equals(node))
                .toList();
    }

    private List<Slot> claimed(NodeId node) {
        return claims.values().stream()
                .flatMap(claim -> claim.slots().stream())
                .filter(slot -> slot.node().equals(node))
                .toList();
    }

    private interface Trait {
        boolean of(GpuCondition condition);
    }

    private long mask(NodeId node, Trait trait) {
        long mask = 0;
        for (var entry : conditions.getOrDefault(node, new TreeMap<>()).entrySet()) {
            mask |= trait.of(entry.getValue()) ? 1L << entry.getKey() : 0;
        }
        return mask & the(nodes.get(node)).allGpus();
    }

    private void placed(Event.AttemptPlaced e) {
        Run run = Run.placed(e.attempt(), e.on(), e.at());
        jobs.compute(
                e.attempt().job(), (id, job) -> the(job).started(new Phase.Starting(run, e.at())));
    }

    private void task(Event.TaskChanged e) {
        Run run = run(e.attempt()).with(e.rank(), e.state());
        Phase next =
                switch (the(jobs.get(e.attempt().job())).phase()) {
                    case Phase.Starting p -> p.with(run);
                    case Phase.Running p -> new Phase.Running(run, p.since());
                    case Phase.Stopping p ->
                            new Phase.Stopping(run, p.since(), p.started(), p.cause());
                    case Phase.Held p -> p;
                    case Phase.Waiting p -> p;
                    case Phase.Ended p -> p;
                };
        move(e.attempt().job(), next);
    }

    private void stopping(Event.AttemptStopping e) {
        Instant started = the(jobs.get(e.attempt().job())).phase().startedAt();
        move(e.attempt().job(), new Phase.Stopping(run(e.attempt()), e.at(), started, e.cause()));
    }

    private void requeued(Event.JobRequeued e) {
        Job job = the(jobs.get(e.job()));
        jobs.put(
                e.job(),
                job.requeued(
                        new Phase.Waiting(e.at(), e.notBefore(), true), e.requeueCause(), e.at()));
    }

    private void refused(Event.StartRefused e) {
        if (e.avoidUntil() != null) {
            Job job = the(jobs.get(e.attempt().job()));
            jobs.put(job.id(), job.avoiding(new Avoidance(e.node(), e.avoidUntil(), e.reason())));
        }
    }

    private void ended(Event.JobEnded e) {
        Phase before = the(jobs.get(e.job())).phase();
        move(e.job(), new Phase.Ended(e.at(), e.outcome(), before.run(), before.startedAt()));
    }

    private void joined(Node node) {
        nodes.put(node.id(), node);
        conditions
                .getOrDefault(node.id(), new TreeMap<>())
                .keySet()
                .removeIf(gpu -> gpu >= node.gpus().size());
    }

    private void removed(NodeId node) {
        nodes.remove(node);
        statuses.remove(node);
        conditions.remove(node);
        foreign.remove(node);
    }

    private void move(JobId id, Phase next) {
        jobs.put(id, the(jobs.get(id)).with(next));
    }

    private Run run(AttemptId attempt) {
        return the(the(jobs.get(attempt.job())).phase().run());
    }

    private static <T> T the(@Nullable T known) {
        return Objects.requireNonNull(known);
    }
}
