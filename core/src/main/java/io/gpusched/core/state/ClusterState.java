package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.nodes.IndexedNodes;
import io.gpusched.core.nodes.NodeLedger;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.queue.JobQueue;
import io.gpusched.core.tenants.ClusterShares;
import io.gpusched.core.tenants.FairShareReport;
import io.gpusched.core.tenants.TenantImage;
import io.gpusched.core.tenants.TenantLedger;
import io.gpusched.core.tenants.TenantShare;
import io.gpusched.core.tenants.Tenants;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// The ledger: all jobs, nodes, tenants and claims. Only [#apply] changes it permanently;
/// everything else reads.
public final class ClusterState implements ClusterView {
    private final NodeLedger nodeLedger = new NodeLedger();
    private final TenantLedger tenantLedger;
    private final ClusterShares clusterShares;
    private final JobLedger jobLedger;
    private final ClaimLedger claimLedger;
    private final AgentLedger agentLedger = new AgentLedger();
    private final ModelLedger modelLedger = new ModelLedger();
    private final PoolLedger poolLedger;
    private final BindingLedger bindingLedger = new BindingLedger();
    private final NodePrices nodePrices = new NodePrices();
    private final DeadlineLedger deadlineLedger;
    private final CarbonLedger carbonLedger = new CarbonLedger(nodePrices);

    private final RequestStatistics requestStatistics = new RequestStatistics();
    private final IdleTasks idle = new IdleTasks();

    private long term;
    private int ledger = Event.EngineStarted.LEDGER;
    private Instant lastAt = Instant.EPOCH;
    private final PolicyHistory policyHistory = new PolicyHistory();

    /// @param order gives waiting jobs their key in the queue
    /// @param assumed how long a job without a limit is assumed to run
    public ClusterState(
            ToLongFunction<Job> order, Duration assumed, FairShareSettings fairShareSettings) {
        this.tenantLedger = new TenantLedger(fairShareSettings.halfLife());
        this.clusterShares =
                new ClusterShares(tenantLedger, nodeLedger::capacity, fairShareSettings);
        this.jobLedger =
                new JobLedger(nodeLedger, agentLedger, tenantLedger, clusterShares, order, assumed);
        this.claimLedger = new ClaimLedger(nodeLedger, jobLedger);
        this.poolLedger =
                new PoolLedger(jobLedger.table, jobLedger.runIndex, modelLedger, this::isSpot);
        this.deadlineLedger = new DeadlineLedger(jobLedger.table, agentLedger);
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
        state.follow(image.ledger());
        state.policyHistory.restore(image.policy(), image.policyChanges());
        state.claimLedger.skipTo(image.lastClaim());
        image.tenants().forEach(t -> state.tenantLedger.put(t.tenant(), Instant.EPOCH));
        image.tenants().forEach(state.tenantLedger::restore);
        image.nodes().forEach(state.nodeLedger::restore);
        state.agentLedger.restore(image.agents(), image.lease());
        image.jobs().forEach(state.jobLedger::restore);
        state.jobLedger.table.skipTo(image.lastJob());
        state.jobLedger.ended.addAll(image.ended());
        image.claims().forEach(state.claimLedger::put);
        image.keys().forEach((key, use) -> state.jobLedger.idempotencyKeys.put(key, use));
        state.modelLedger.restore(image.models(), image.cached());
        image.pools().forEach(state.poolLedger::restore);
        state.bindingLedger.restore(image.bindings());
        state.deadlineLedger.restore(image.deadlines());
        image.markets().forEach(state.nodePrices::put);
        image.carbon().forEach(state.carbonLedger::put);
        state.requestStatistics.restore(image.asked());
        image.idle().forEach(state.idle::put);
        return state;
    }

    /// Records an event.
    public void apply(Event event) {
        passTime(event);
        idle.hear(event);
        noteUse(event);
        deadlineLedger.hear(event);
        switch (event) {
            case Event.JobSubmitted e -> jobSubmitted(e);
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
            case Event.TaskIdle _, Event.SpotSeen _ -> {}
            case Event.CapacityChosen e -> jobLedger.chosen(e);
            case Event.ClaimMade e -> claimLedger.put(e.claim());
            case Event.ClaimDropped e -> claimLedger.remove(e.claim());
            case Event.AgentJoined e -> agentLedger.put(e.agent());
            case Event.AgentLost e -> agentLedger.remove(e.agent());
            case Event.NodeJoined e -> nodeLedger.join(e.node());
            case Event.NodeChanged e -> jobLedger.nodeChanged(e);
            case Event.NodeRemoved e -> {
                nodeLedger.remove(e.node());
                modelLedger.nodeRemoved(e.node());
            }
            case Event.GpuChanged e -> nodeLedger.condition(e.node(), e.gpu(), e.condition());
            case Event.ForeignChanged e -> nodeLedger.foreign(e.node(), e.all());
            case Event.TenantPut e -> tenantPut(e.tenant(), e.at());
            case Event.TenantRemoved e -> tenantRemoved(e);
            case Event.PoolPut _, Event.PoolRemoved _, Event.PoolHeld _ -> {}
            case Event.PoolLoadChanged _, Event.PoolRecommended _, Event.PoolScaled _ -> {}
            case Event.PoolLapsed _, Event.ReplicaDraining _, Event.PoolChoice _ -> {}
            case Event.ModelPut _, Event.ModelRemoved _, Event.ModelCached _ ->
                    modelLedger.hear(event);
            case Event.ModelWanted _, Event.ModelUnwanted _ -> modelLedger.hear(event);
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> bindingLedger.hear(event);
            case Event.BindingPut _, Event.BindingRemoved _ -> bindingLedger.hear(event);
            case Event.MarketChanged e -> nodePrices.put(e.market());
            case Event.ForecastPut _, Event.ForecastRemoved _ -> carbonLedger.hear(event);
            case Event.Observed _, Event.Scored _, Event.RetentionChanged _, Event.Imported _ -> {}
            case Event.EngineStarted e -> {
                term = e.term();
                follow(e.ledger());
                jobLedger.startsCountFrom(e.at());
            }
            case Event.OrdersDelayed e -> jobLedger.startsCountFrom(e.at());
            case Event.LeaseBound e -> agentLedger.bindLease(e.lease());
            case Event.PolicyChanged e -> policyHistory.add(e);
        }
        poolLedger.hear(event);
        wakeAfter(event);
    }

    private void jobSubmitted(Event.JobSubmitted e) {
        jobLedger.submitted(e);
        requestStatistics.submitted(e.spec());
    }

    /// Wakes classes whose answer depends on pools or forecasts, where the event may have changed
    /// it.
    private void wakeAfter(Event event) {
        if (poolLedger.endsReplica(event)) {
            jobLedger.waitQueue.wakeHopeless();
        }
        if (poolLedger.mayNeedMore(event)) {
            jobLedger.waitQueue.wakeReplicas();
        }
        if (CarbonLedger.isAbout(event)) {
            jobLedger.waitQueue.wakeAll();
        }
    }

    /// What jobs find on the nodes where they start, and what they leave there.
    private void noteUse(Event event) {
        switch (event) {
            case Event.AttemptPlaced e -> {
                Job job = job(e.attempt().job());
                if (job != null) {
                    modelLedger.placed(job, e.on(), nodeLedger);
                }
            }
            case Event.JobRequeued e -> modelLedger.left(job(e.job()), e.at());
            case Event.JobEnded e -> modelLedger.left(job(e.job()), e.at());
            default -> {}
        }
    }

    /// Time passes for the queue with the events, also between cycles: a replay must put jobs into
    /// the queue exactly when the original run did.
    private void passTime(Event event) {
        Check.that(
                !event.at().isBefore(lastAt),
                "time went back from %s to %s in %s",
                lastAt,
                event.at(),
                event);
        lastAt = event.at();
        jobLedger.timePassed(lastAt);
        carbonLedger.timePassed(lastAt);
    }

    /// From now on events change the ledger by the rules of that version.
    private void follow(int version) {
        ledger = version;
        poolLedger.follow(version);
    }

    private boolean isSpot(NodeId node) {
        NodeView known = nodeLedger.find(node);
        Market market = known == null ? null : nodePrices.of(known.facts().labels());
        return market != null && market.spot();
    }

    private void tenantRemoved(Event.TenantRemoved e) {
        tenantLedger.remove(e.tenant());
        if (ledger > 0) {
            bindingLedger.hear(e);
        }
        jobLedger.waitQueue.tenantsChanged();
        jobLedger.waitQueue.wakeAll();
    }

    private void tenantPut(Tenant tenant, Instant at) {
        Tenant before = tenantLedger.find(tenant.id());
        tenantLedger.put(tenant, at);
        jobLedger.waitQueue.tenantsChanged();
        boolean wasUnlimited = before != null && before.limit().equals(Limits.NONE);
        if (before != null
                && (wasUnlimited != tenant.limit().equals(Limits.NONE)
                        || !Objects.equals(before.parent(), tenant.parent()))) {
            jobLedger.quotaQueue.rebuild(jobLedger.waitQueue.quotaOrder(), jobLedger.allWaiting());
        }
        jobLedger.runIndex.rulesChanged(tenant);
        jobLedger.waitQueue.wakeAll();
    }

    /// A trial on this ledger; it must be closed before anything is applied.
    public Trial trial() {
        return nodeLedger.trial();
    }

    /// From now on the labels of a node may change the answer to any job, or only to jobs that
    /// choose nodes by label or have several tasks.
    public void labelsMatterToAll(boolean toAll) {
        jobLedger.labelsMatterToAll = toAll;
    }

    /// Wakes classes that could get another answer now than when they were last tried.
    public void wake(Instant now) {
        jobLedger.wake(now);
    }

    /// Wakes everything. It leads to the same decisions as [#wake], only slower: tests rely on
    /// that.
    public void wakeEverything(Instant now) {
        wake(now);
        jobLedger.waitQueue.wakeAll();
    }

    /// Reorders all waiting jobs.
    public void reorder(ToLongFunction<Job> order, boolean byLength) {
        List<Job> waiting = jobLedger.allWaiting();
        waiting.removeIf(job -> claimLedger.isMadeRoomFor(job.id()));
        jobLedger.waitQueue.reorder(order, byLength, waiting);
        jobLedger.quotaQueue.rebuild(jobLedger.waitQueue.quotaOrder(), waiting);
    }

    /// The number of the next claim.
    public ClaimId nextClaim() {
        return new ClaimId(claimLedger.last() + 1);
    }

    /// The number of the next submitted job.
    public JobId nextJob() {
        return new JobId(jobLedger.table.last() + 1);
    }

    /// The same specification with the roles of an earlier job where these are equal. All engines
    /// that apply its submission then keep the same object.
    public JobSpec sharingRoles(JobSpec spec) {
        return jobLedger.roles.sharing(spec);
    }

    /// A fingerprint of everything recorded here. Equal events give equal digests on every machine.
    public long digest() {
        long all =
                claimLedger.digest()
                        ^ jobLedger.digest
                        ^ nodeLedger.digest(ledger)
                        ^ tenantLedger.digest()
                        ^ idle.digest();
        all ^= jobLedger.avoidances.digest();
        all ^= agentLedger.digest() ^ poolLedger.digest() ^ modelLedger.digest(ledger);
        all ^= bindingLedger.digest(ledger) ^ deadlineLedger.digest();
        all ^= carbonLedger.digest();
        return Digest.mix(Digest.mix(all, jobLedger.table.last()), term);
    }

    /// Tasks that agents have not taken up yet.
    public OpenStarts openStarts() {
        return jobLedger.openStarts;
    }

    public JobTable jobs() {
        return jobLedger.table;
    }

    @Override
    public IndexedNodes nodes() {
        return nodeLedger;
    }

    @Override
    public Tenants tenants() {
        return tenantLedger;
    }

    /// The queue of waiting jobs, for the cycle that works through it.
    public JobQueue queue() {
        return jobLedger.waitQueue;
    }

    @Override
    public RunIndex runs() {
        return jobLedger.runIndex;
    }

    public AgentLedger agents() {
        return agentLedger;
    }

    /// Tasks that do not use their GPUs.
    public IdleTasks idleTasks() {
        return idle;
    }

    /// The size of the payloads of all jobs that have not ended.
    public PayloadSizes payloads() {
        return jobLedger.payloads;
    }

    public IdempotencyKeys idempotencyKeys() {
        return jobLedger.idempotencyKeys;
    }

    /// Runs whose start or stop takes too long.
    public Deadlines deadlines() {
        return jobLedger.deadlines;
    }

    /// Which jobs avoid which nodes.
    public Avoidances avoidances() {
        return jobLedger.avoidances;
    }

    /// When something becomes due by time alone; null when nothing does.
    public @Nullable Instant nextDue() {
        Instant due = Instants.earlier(jobLedger.waitQueue.nextDue(), jobLedger.deadlines.next());
        due = Instants.earlier(due, jobLedger.avoidances.next());
        due = Instants.earlier(due, nodeLedger.nextDrainDue());
        return Instants.earlier(due, claimLedger.nextExpiry());
    }

    /// What every tenant gets of the cluster and why, parents first; not in the middle of a cycle.
    public List<TenantShare> tenantShares(Instant now) {
        List<TenantId> inTurn = jobLedger.waitQueue.inTurn(now);
        return FairShareReport.of(tenantLedger, clusterShares, inTurn, Instants.micros(now));
    }

    List<TenantImage> tenantImages() {
        return tenantLedger.images();
    }

    /// Ended jobs that are still here, in the order in which they ended.
    List<JobId> endedJobs() {
        return List.copyOf(jobLedger.ended);
    }

    long lastClaim() {
        return claimLedger.last();
    }

    /// The pools and their replicas.
    @Override
    public PoolLedger pools() {
        return poolLedger;
    }

    /// The agent classes and queue bindings.
    public BindingLedger bindings() {
        return bindingLedger;
    }

    /// The jobs with a deadline that have not ended, and what was seen of spot capacity.
    public DeadlineLedger deadlineJobs() {
        return deadlineLedger;
    }

    /// The declared models, and which node holds which.
    @Override
    public ModelLedger models() {
        return modelLedger;
    }

    @Override
    public NodePrices nodePrices() {
        return nodePrices;
    }

    /// The version of the rules by which events change the ledger.
    public int ledger() {
        return ledger;
    }

    @Override
    public CarbonLedger carbon() {
        return carbonLedger;
    }

    /// The policy chosen by command; empty when none was.
    public String policy() {
        return policyHistory.policy();
    }

    /// The last changes of the policy, oldest first. No placement depends on them.
    public List<Event.PolicyChanged> policyChanges() {
        return policyHistory.changes();
    }

    @Override
    public @Nullable Job job(JobId id) {
        return jobLedger.table.job(id.number());
    }

    @Override
    public @Nullable Job waitsBefore(TenantId tenant, Job job, Predicate<Usage> matters) {
        return jobLedger.quotaQueue.find(tenant, job, matters);
    }

    @Override
    public @Nullable Job waitedLonger(
            TenantId tenant, Job job, Instant since, Predicate<Usage> matters) {
        return jobLedger.quotaQueue.find(tenant, job, Instants.micros(since), matters);
    }

    @Override
    public boolean precedes(Job one, Job other) {
        return jobLedger.waitQueue.precedes(one, other);
    }

    @Override
    public List<Claim> claims() {
        return claimLedger.all();
    }

    @Override
    public TypicalWorkload typicalWorkload() {
        return requestStatistics.typicalWorkload();
    }

    StateImage.Asked asked() {
        return requestStatistics.image();
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
