package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Pool;
import io.gpusched.core.model.PoolId;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// The ledger. [#apply] is the only thing that changes it for good; everything else looks.
public final class ClusterState implements ClusterView {
    private final NodeLedger nodeLedger = new NodeLedger();
    private final Set<JobId> away = new LinkedHashSet<>();
    private final TenantLedger tenantLedger;
    private final ClusterShares clusterShares;
    private final JobLedger jobLedger;
    private final ClaimLedger claimLedger;
    private final AgentLedger agentLedger = new AgentLedger();
    private final Map<PoolId, Pool> pools = new LinkedHashMap<>();
    private final NodePrices nodePrices = new NodePrices();

    private final RequestStatistics requestStatistics = new RequestStatistics();
    private final IdleTasks idle = new IdleTasks();

    private long term;
    private Instant lastAt = Instant.EPOCH;
    private String policy = "";

    /// @param order gives waiting jobs the key they stand in line by
    /// @param assumed how long a job without a limit is thought to run
    public ClusterState(
            ToLongFunction<Job> order, Duration assumed, FairShareSettings fairShareSettings) {
        this.tenantLedger = new TenantLedger(fairShareSettings.halfLife());
        this.clusterShares = new ClusterShares(tenantLedger, nodeLedger, fairShareSettings);
        this.jobLedger =
                new JobLedger(
                        nodeLedger,
                        tenantLedger,
                        new TenantTree(tenantLedger, clusterShares),
                        order,
                        assumed);
        this.claimLedger = new ClaimLedger(nodeLedger, jobLedger);
        tenantLedger.put(Tenant.unlimited(Tenant.DEFAULT), Instant.EPOCH);
    }

    /// The ledger as it was when the image was taken.
    public static ClusterState restored(
            StateImage image,
            ToLongFunction<Job> order,
            Duration assumed,
            FairShareSettings fairShareSettings) {
        var state = new ClusterState(order, assumed, fairShareSettings);
        state.lastAt = image.at();
        state.jobLedger.timePassed(image.at());
        state.term = image.term();
        state.policy = image.policy();
        state.claimLedger.skipTo(image.lastClaim());
        image.tenants().forEach(t -> state.tenantLedger.put(t.tenant(), Instant.EPOCH));
        image.tenants().forEach(state.tenantLedger::restore);
        image.nodes().forEach(state.nodeLedger::restore);
        image.jobs().forEach(state.jobLedger::restore);
        state.jobLedger.table.skipTo(image.lastJob());
        state.jobLedger.ended.addAll(image.ended());
        image.claims().forEach(state.claimLedger::put);
        image.keys().forEach((key, use) -> state.jobLedger.idempotencyKeys.put(key, use));
        state.agentLedger.restore(image.agents(), image.lease());
        image.pools().forEach(pool -> state.pools.put(pool.id(), pool));
        image.markets().forEach(state.nodePrices::put);
        state.requestStatistics.restore(image.asked());
        image.idle().forEach(state.idle::put);
        return state;
    }

    /// Records what happened.
    public void apply(Event event) {
        Check.that(
                !event.at().isBefore(lastAt),
                "time went back from %s to %s in %s",
                lastAt,
                event.at(),
                event);
        lastAt = event.at();
        // Time passes for the line with the events, also when nobody asks for a turn: a replay must
        // put jobs in line exactly when the first life did.
        jobLedger.timePassed(lastAt);
        idle.hear(event);
        switch (event) {
            case Event.JobSubmitted e -> {
                jobLedger.submitted(e);
                requestStatistics.submitted(e.spec());
            }
            case Event.JobUpdated e -> jobLedger.updated(e);
            case Event.JobHeld e -> jobLedger.held(e);
            case Event.JobReleased e -> jobLedger.released(e);
            case Event.AttemptPlaced e -> jobLedger.placed(e);
            case Event.TaskChanged e -> jobLedger.taskChanged(e);
            case Event.AttemptRunning e -> jobLedger.running(e);
            case Event.AttemptStopping e -> jobLedger.stopping(e);
            case Event.StartRefused e -> jobLedger.refused(e);
            case Event.RefusalConfirmed e ->
                    nodeLedger.refused(e.node(), new RefusedStart(e.job(), e.at()));
            case Event.AvoidanceEnded e -> jobLedger.avoidanceEnded(e);
            case Event.JobRequeued e -> jobLedger.requeued(e);
            case Event.JobEnded e -> jobLedger.ended(e);
            case Event.TaskIdle e -> {}
            case Event.ClaimMade e -> claimLedger.put(e.claim());
            case Event.ClaimDropped e -> claimLedger.remove(e.claim());
            case Event.AgentJoined e -> agentLedger.put(e.agent());
            case Event.AgentLost e -> agentLedger.remove(e.agent());
            case Event.NodeJoined e -> nodeLedger.join(e.node());
            case Event.NodeChanged e -> jobLedger.nodeChanged(e);
            case Event.NodeRemoved e -> nodeLedger.remove(e.node());
            case Event.GpuChanged e ->
                    nodeLedger.change(
                            nodeLedger.entry(e.node()), n -> n.condition(e.gpu(), e.condition()));
            case Event.ForeignChanged e ->
                    nodeLedger.change(nodeLedger.entry(e.node()), n -> n.foreign(e.all()));
            case Event.TenantPut e -> tenantPut(e.tenant(), e.at());
            case Event.TenantRemoved e -> tenantRemoved(e.tenant());
            case Event.PoolPut e -> pools.put(e.pool().id(), e.pool());
            case Event.MarketChanged e -> nodePrices.put(e.market());
            case Event.PoolLoadChanged _, Event.Observed _, Event.Scored _ -> {}
            case Event.RetentionChanged _, Event.Imported _ -> {}
            case Event.EngineStarted e -> {
                term = e.term();
                jobLedger.startsCountFrom(e.at());
            }
            case Event.OrdersDelayed e -> jobLedger.startsCountFrom(e.at());
            case Event.LeaseBound e -> agentLedger.bindLease(e.lease());
            case Event.PolicyChanged e -> policy = e.policy();
        }
    }

    private void tenantRemoved(TenantId tenant) {
        tenantLedger.remove(tenant);
        jobLedger.waitQueue.tenantsChanged();
        jobLedger.waitQueue.rouseEverything();
    }

    private void tenantPut(Tenant tenant, Instant at) {
        Tenant before = tenant(tenant.id());
        tenantLedger.put(tenant, at);
        jobLedger.waitQueue.tenantsChanged();
        boolean wasUnlimited = before != null && before.limit().equals(Limits.NONE);
        if (before != null
                && (wasUnlimited != tenant.limit().equals(Limits.NONE)
                        || !Objects.equals(before.parent(), tenant.parent()))) {
            jobLedger.quotaQueue.rebuild(jobLedger.waitQueue::key, jobLedger.allWaiting());
        }
        jobLedger.runIndex.rulesChanged(tenant);
        jobLedger.waitQueue.rouseEverything();
    }

    /// A hypothesis over this ledger; close it before anything is applied.
    public Trial trial() {
        return new Trial(nodeLedger, away);
    }

    /// Whether the job's run is evicted on trial.
    public boolean isAway(JobId job) {
        return away.contains(job);
    }

    /// Rises whenever any node may have more to give than before.
    public long growth() {
        return nodeLedger.growth();
    }

    /// From now on the labels of a node may change the answer to any job, or only to jobs that
    /// choose nodes by label or have several tasks.
    public void labelsMatterToAll(boolean toAll) {
        jobLedger.labelsMatterToAll = toAll;
    }

    /// Wakes what could get another answer now than when it was put to rest.
    public void wake(Instant now) {
        jobLedger.wake(now);
    }

    /// Wakes everything. Decisions are the same as with [#wake], only later: tests rely on that.
    public void wakeEverything(Instant now) {
        wake(now);
        jobLedger.waitQueue.rouseEverything();
    }

    /// Puts every waiting job in line anew.
    public void reorder(ToLongFunction<Job> order, boolean byLength) {
        List<Job> inLine = jobLedger.allWaiting();
        inLine.removeIf(job -> claimLedger.isMadeRoomFor(job.id()));
        jobLedger.waitQueue.reorder(order, byLength, inLine);
        jobLedger.quotaQueue.rebuild(order, inLine);
    }

    /// A number for the next claim.
    public ClaimId nextClaim() {
        return new ClaimId(claimLedger.last() + 1);
    }

    /// The number the next submitted job gets.
    public JobId nextJob() {
        return new JobId(jobLedger.table.last() + 1);
    }

    /// A fingerprint of everything recorded here. Equal events give equal digests on every machine.
    public long digest() {
        long all =
                claimLedger.digest()
                        ^ jobLedger.digest
                        ^ nodeLedger.digest()
                        ^ tenantLedger.digest()
                        ^ idle.digest();
        all ^= jobLedger.avoidances.digest();
        all ^= agentLedger.digest();
        return Digest.mix(Digest.mix(all, jobLedger.table.last()), term);
    }

    public JobTable jobs() {
        return jobLedger.table;
    }

    public WaitQueue waitQueue() {
        return jobLedger.waitQueue;
    }

    public NodeIndex nodeIndex() {
        return nodeLedger.index();
    }

    public IdempotencyKeys idempotencyKeys() {
        return jobLedger.idempotencyKeys;
    }

    /// Runs that have been starting or stopping for suspiciously long.
    public Deadlines deadlines() {
        return jobLedger.deadlines;
    }

    /// Draining nodes on which jobs must not run any longer.
    public List<NodeId> drainsDue(Instant now) {
        return nodeLedger.drainsDue(now);
    }

    /// Which jobs avoid which nodes.
    public Avoidances avoidances() {
        return jobLedger.avoidances;
    }

    /// When something is due here without anything being told; null when nothing is.
    public @Nullable Instant nextDue() {
        Instant due = Instants.earlier(jobLedger.waitQueue.nextDue(), jobLedger.deadlines.next());
        due = Instants.earlier(due, jobLedger.avoidances.next());
        due = Instants.earlier(due, nodeLedger.nextDrainDue());
        return Instants.earlier(due, claimLedger.nextExpiry());
    }

    public Instant expectedEnd(Job job) {
        return jobLedger.runIndex.expectedEnd(job);
    }

    /// Running jobs that are expected to end in (after, until], the first of them first.
    public Iterable<Job> endingIn(Instant after, Instant until) {
        return jobLedger.runIndex.endingIn(after, until);
    }

    /// What every tenant gets of the cluster and why, each after the one it is part of. Not for the
    /// middle of a cycle.
    public List<TenantShare> tenantShares(Instant now) {
        List<TenantId> inTurn = jobLedger.waitQueue.inTurn(now);
        return FairShareReport.of(tenantLedger, clusterShares, inTurn, Instants.micros(now));
    }

    List<StateImage.TenantImage> tenantImages() {
        return tenantLedger.images();
    }

    public TenantTotals totals(TenantId id) {
        TenantLedger.Entry entry = tenantLedger.find(id);
        return entry == null ? TenantTotals.NONE : entry.totals;
    }

    /// How many jobs of the tenant have not ended.
    public long presentJobs(TenantId id) {
        TenantLedger.Entry entry = tenantLedger.find(id);
        return entry == null ? 0 : entry.present;
    }

    public @Nullable Agent agent(AgentId id) {
        return agentLedger.find(id);
    }

    /// Ended jobs that are still here, in the order in which they ended.
    List<JobId> endedJobs() {
        return List.copyOf(jobLedger.ended);
    }

    long lastClaim() {
        return claimLedger.last();
    }

    /// The nodes that the agent speaks for, by index.
    public List<NodeView> nodesOf(AgentId agent) {
        return nodeLedger.views(agent);
    }

    /// Nodes read so far from the lists of all nodes and of an agent's nodes.
    public long nodesListed() {
        return nodeLedger.listed();
    }

    public List<Agent> agents() {
        return agentLedger.all();
    }

    public List<Pool> pools() {
        return List.copyOf(pools.values());
    }

    public List<Market> markets() {
        return nodePrices.all();
    }

    @Override
    public NodePrices nodePrices() {
        return nodePrices;
    }

    /// The policy that was chosen by command; empty when none was.
    public String policy() {
        return policy;
    }

    /// No agent holds a longer lease than this; zero where that was never recorded.
    public Duration lease() {
        return agentLedger.lease();
    }

    /// Rises whenever a run begins, or what holds for one that goes on has changed.
    public long runsBegun() {
        return jobLedger.runIndex.begun;
    }

    /// Runs looked at so far, in deciding and in explaining.
    public long runsLookedAt() {
        return jobLedger.runIndex.lookedAt;
    }

    public int runningJobs() {
        return jobLedger.runIndex.size();
    }

    @Override
    public @Nullable Job job(JobId id) {
        return jobLedger.table.job(id.number());
    }

    @Override
    public @Nullable NodeView node(NodeId id) {
        return nodeLedger.find(id);
    }

    @Override
    public List<NodeView> nodes() {
        return nodeLedger.views();
    }

    @Override
    public @Nullable Tenant tenant(TenantId id) {
        TenantLedger.Entry entry = tenantLedger.find(id);
        return entry == null ? null : entry.tenant;
    }

    @Override
    public List<Tenant> tenants() {
        return tenantLedger.all();
    }

    @Override
    public Usage usage(TenantId id) {
        TenantLedger.Entry entry = tenantLedger.find(id);
        return entry == null ? Usage.NONE : entry.usage;
    }

    @Override
    public long keptBeside(TenantId id) {
        return tenantLedger.keptBeside(id);
    }

    @Override
    public @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters) {
        return jobLedger.quotaQueue.find(tenant, job, matters);
    }

    @Override
    public boolean standsBefore(Job one, Job other) {
        return jobLedger.waitQueue.standsBefore(one, other);
    }

    @Override
    public List<Claim> claims() {
        return claimLedger.all();
    }

    @Override
    public Iterable<Job> preemptible() {
        return jobLedger.runIndex.preemptible();
    }

    @Override
    public Iterable<Job> preemptiblePlacedAfter(Instant when) {
        return jobLedger.runIndex.preemptiblePlacedAfter(when);
    }

    @Override
    public Iterable<Job> byExpectedEnd() {
        return jobLedger.runIndex.byEnd();
    }

    @Override
    public long fleetVersion() {
        return nodeLedger.index().version();
    }

    @Override
    public TypicalWorkload typicalWorkload() {
        return requestStatistics.typicalWorkload();
    }

    /// Tasks that do not use their GPUs, by job and rank.
    public List<IdleTask> idleTasks() {
        return idle.all();
    }

    /// What is known about the task's idleness; null when it is busy.
    public @Nullable IdleTask idleTask(AttemptId attempt, int rank) {
        return idle.find(attempt, rank);
    }

    StateImage.Asked asked() {
        return requestStatistics.image();
    }

    /// How large the payloads of all jobs that have not ended are, in characters.
    public long payloadSize() {
        return jobLedger.payloads.total();
    }

    /// The same for the jobs of one tenant.
    public long payloadSize(TenantId tenant) {
        return jobLedger.payloads.of(tenant);
    }

    @Override
    public long waitingJobs() {
        return jobLedger.waitingJobs;
    }

    @Override
    public Instant lastAt() {
        return lastAt;
    }

    @Override
    public long term() {
        return term;
    }
}
