package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.Holder;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Pool;
import io.gpusched.core.model.PoolId;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Slot;
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
import java.util.function.ToLongFunction;

/// The ledger. [#apply] is the only thing that changes it for good; everything else looks.
public final class ClusterState implements ClusterView {
    private final Nodes nodes = new Nodes();
    private final Set<JobId> away = new LinkedHashSet<>();
    private final Tenants tenants;
    private final Shares shares;
    private final Jobs jobs;
    private final Map<ClaimId, Claim> claims = new LinkedHashMap<>();
    private final Agents agents = new Agents();
    private final Map<PoolId, Pool> pools = new LinkedHashMap<>();
    private final Prices prices = new Prices();

    private final Workload workload = new Workload();
    private final IdleTasks idle = new IdleTasks();

    private long lastClaim;
    private long term;
    private Instant lastAt = Instant.EPOCH;
    private String policy = "";
    private long digest;

    /// @param order gives waiting jobs the key they stand in line by
    /// @param assumed how long a job without a limit is thought to run
    public ClusterState(ToLongFunction<Job> order, Duration assumed, FairShare fairShare) {
        this.tenants = new Tenants(fairShare.halfLife());
        this.shares = new Shares(tenants, nodes, fairShare);
        this.jobs = new Jobs(nodes, tenants, new TenantTree(tenants, shares), order, assumed);
        tenants.put(Tenant.unlimited(Tenant.DEFAULT), Instant.EPOCH);
    }

    /// The ledger as it was when the image was taken.
    public static ClusterState restored(
            StateImage image, ToLongFunction<Job> order, Duration assumed, FairShare fairShare) {
        var state = new ClusterState(order, assumed, fairShare);
        state.lastAt = image.at();
        state.jobs.timePassed(image.at());
        state.term = image.term();
        state.policy = image.policy();
        state.lastClaim = image.lastClaim();
        image.tenants().forEach(t -> state.tenants.put(t.tenant(), Instant.EPOCH));
        image.tenants().forEach(state.tenants::restore);
        image.nodes().forEach(state.nodes::restore);
        image.jobs().forEach(state.jobs::restore);
        state.jobs.table.skipTo(image.lastJob());
        state.jobs.ended.addAll(image.ended());
        image.claims().forEach(state::claimed);
        image.keys().forEach((key, use) -> state.jobs.keys.put(key, use));
        state.agents.restore(image.agents(), image.lease());
        image.pools().forEach(pool -> state.pools.put(pool.id(), pool));
        image.markets().forEach(state.prices::put);
        state.workload.restore(image.asked());
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
        jobs.timePassed(lastAt);
        idle.hear(event);
        switch (event) {
            case Event.JobSubmitted e -> {
                jobs.submitted(e);
                workload.submitted(e.spec());
            }
            case Event.JobUpdated e -> jobs.updated(e);
            case Event.JobHeld e -> jobs.held(e);
            case Event.JobReleased e -> jobs.released(e);
            case Event.AttemptPlaced e -> jobs.placed(e);
            case Event.TaskChanged e -> jobs.taskChanged(e);
            case Event.AttemptRunning e -> jobs.running(e);
            case Event.AttemptStopping e -> jobs.stopping(e);
            case Event.StartRefused e -> jobs.refused(e);
            case Event.RefusalConfirmed e ->
                    nodes.refused(e.node(), new RefusedStart(e.job(), e.at()));
            case Event.AvoidanceEnded e -> jobs.avoidanceEnded(e);
            case Event.JobRequeued e -> jobs.requeued(e);
            case Event.JobEnded e -> jobs.ended(e);
            case Event.TaskIdle e -> {}
            case Event.ClaimMade e -> claimed(e.claim());
            case Event.ClaimDropped e -> dropped(e.claim());
            case Event.AgentJoined e -> agents.put(e.agent());
            case Event.AgentLost e -> agents.remove(e.agent());
            case Event.NodeJoined e -> nodes.join(e.node());
            case Event.NodeChanged e -> jobs.nodeChanged(e);
            case Event.NodeRemoved e -> nodes.remove(e.node());
            case Event.GpuChanged e ->
                    nodes.change(nodes.entry(e.node()), n -> n.condition(e.gpu(), e.condition()));
            case Event.ForeignChanged e ->
                    nodes.change(nodes.entry(e.node()), n -> n.foreign(e.all()));
            case Event.TenantPut e -> tenantPut(e.tenant(), e.at());
            case Event.TenantRemoved e -> tenantRemoved(e.tenant());
            case Event.PoolPut e -> pools.put(e.pool().id(), e.pool());
            case Event.MarketChanged e -> prices.put(e.market());
            case Event.PoolLoadChanged _, Event.Observed _, Event.Scored _ -> {}
            case Event.RetentionChanged _, Event.Imported _ -> {}
            case Event.EngineStarted e -> {
                term = e.term();
                jobs.startsCountFrom(e.at());
            }
            case Event.OrdersDelayed e -> jobs.startsCountFrom(e.at());
            case Event.LeaseBound e -> agents.bindLease(e.lease());
            case Event.PolicyChanged e -> policy = e.policy();
        }
    }

    private void tenantRemoved(TenantId tenant) {
        tenants.remove(tenant);
        jobs.waiting.tenantsChanged();
        jobs.waiting.rouseEverything();
    }

    private void claimed(Claim claim) {
        claims.put(claim.id(), claim);
        lastClaim = Math.max(lastClaim, claim.id().number());
        digest ^= Digest.of(claim);
        for (Slot slot : claim.slots()) {
            nodes.entry(slot.node()).promise(claim);
        }
        if (claim.kind() == Claim.Kind.ROOM && claim.holder() instanceof Holder.OfJob of) {
            jobs.setApart(jobs.existing(of.job()));
        }
    }

    private void dropped(ClaimId id) {
        Claim claim = Objects.requireNonNull(claims.remove(id));
        digest ^= Digest.of(claim);
        for (Slot slot : claim.slots()) {
            NodeEntry node = nodes.find(slot.node());
            if (node != null) {
                node.forget(claim);
                nodes.grew(slot.node());
            }
        }
        if (claim.holder() instanceof Holder.OfJob of) {
            Job job = job(of.job());
            if (claim.kind() == Claim.Kind.ROOM) {
                jobs.endApart(of.job());
            }
            if (job != null) {
                jobs.tenantHoldsLess(job);
            }
        }
    }

    private void tenantPut(Tenant tenant, Instant at) {
        Tenant before = tenant(tenant.id());
        tenants.put(tenant, at);
        jobs.waiting.tenantsChanged();
        boolean wasUnlimited = before != null && before.limit().equals(Limits.NONE);
        if (before != null
                && (wasUnlimited != tenant.limit().equals(Limits.NONE)
                        || !Objects.equals(before.parent(), tenant.parent()))) {
            jobs.quotaLine.rebuild(jobs.waiting::key, jobs.allWaiting());
        }
        jobs.runs.rulesChanged(tenant);
        jobs.waiting.rouseEverything();
    }

    /// A hypothesis over this ledger; close it before anything is applied.
    public Trial trial() {
        return new Trial(nodes, away);
    }

    /// Whether the job's run is evicted on trial.
    public boolean isAway(JobId job) {
        return away.contains(job);
    }

    /// Rises whenever any node may have more to give than before.
    public long growth() {
        return nodes.growth();
    }

    /// Wakes what could get another answer now than when it was put to rest.
    public void wake(Instant now) {
        if (nodes.takeFleetChanged()) {
            jobs.waiting.rouseEverything();
        }
        if (nodes.takeUsableGrew()) {
            jobs.waiting.hopeAgain();
        }
        nodes.takeGrowth(jobs::capacityGrew);
        jobs.timePassed(now);
    }

    /// Wakes everything. Decisions are the same as with [#wake], only later: tests rely on that.
    public void wakeEverything(Instant now) {
        wake(now);
        jobs.waiting.rouseEverything();
    }

    /// Puts every waiting job in line anew.
    public void reorder(ToLongFunction<Job> order, boolean byLength) {
        List<Job> inLine = jobs.allWaiting();
        inLine.removeIf(job -> isMadeRoomFor(job.id()));
        jobs.waiting.reorder(order, byLength, inLine);
        jobs.quotaLine.rebuild(order, inLine);
    }

    private boolean isMadeRoomFor(JobId job) {
        for (Claim claim : claims.values()) {
            if (claim.kind() == Claim.Kind.ROOM && claim.isFor(job)) {
                return true;
            }
        }
        return false;
    }

    /// A number for the next claim.
    public ClaimId nextClaim() {
        return new ClaimId(lastClaim + 1);
    }

    /// The number the next submitted job gets.
    public JobId nextJob() {
        return new JobId(jobs.table.last() + 1);
    }

    /// A fingerprint of everything recorded here. Equal events give equal digests on every machine.
    public long digest() {
        long all = digest ^ jobs.digest ^ nodes.digest() ^ tenants.digest() ^ idle.digest();
        all ^= jobs.avoidances.digest();
        all ^= agents.digest();
        return Digest.mix(Digest.mix(all, jobs.table.last()), term);
    }

    public JobTable jobs() {
        return jobs.table;
    }

    public Waiting waiting() {
        return jobs.waiting;
    }

    public NodeIndex nodeIndex() {
        return nodes.index();
    }

    public Keys keys() {
        return jobs.keys;
    }

    /// Runs that have been starting or stopping for suspiciously long.
    public Alarms alarms() {
        return jobs.alarms;
    }

    /// Draining nodes on which jobs must not run any longer.
    public List<NodeId> drainsDue(Instant now) {
        return nodes.drainsDue(now);
    }

    /// Which jobs avoid which nodes.
    public Avoidances avoidances() {
        return jobs.avoidances;
    }

    /// When something is due here without anything being told; null when nothing is.
    public @Nullable Instant nextDue() {
        Instant due = Instants.earlier(jobs.waiting.nextDue(), jobs.alarms.next());
        due = Instants.earlier(due, jobs.avoidances.next());
        due = Instants.earlier(due, nodes.nextDrainDue());
        for (Claim claim : claims.values()) {
            due = Instants.earlier(due, claim.until());
        }
        return due;
    }

    public Instant expectedEnd(Job job) {
        return jobs.runs.expectedEnd(job);
    }

    /// Running jobs that are expected to end in (after, until], the first of them first.
    public Iterable<Job> endingIn(Instant after, Instant until) {
        return jobs.runs.endingIn(after, until);
    }

    /// What every tenant gets of the cluster and why, each after the one it is part of. Not for the
    /// middle of a cycle.
    public List<TenantShare> tenantShares(Instant now) {
        List<TenantId> inTurn = jobs.waiting.inTurn(now);
        return ShareSheet.of(tenants, shares, inTurn, Instants.micros(now));
    }

    List<StateImage.TenantImage> tenantImages() {
        return tenants.images();
    }

    public TenantTotals totals(TenantId id) {
        Tenants.Entry entry = tenants.find(id);
        return entry == null ? TenantTotals.NONE : entry.totals;
    }

    /// How many jobs of the tenant have not ended.
    public long presentJobs(TenantId id) {
        Tenants.Entry entry = tenants.find(id);
        return entry == null ? 0 : entry.present;
    }

    public @Nullable Agent agent(AgentId id) {
        return agents.find(id);
    }

    /// Ended jobs that are still here, in the order in which they ended.
    List<JobId> endedJobs() {
        return List.copyOf(jobs.ended);
    }

    long lastClaim() {
        return lastClaim;
    }

    public List<Agent> agents() {
        return agents.all();
    }

    public List<Pool> pools() {
        return List.copyOf(pools.values());
    }

    public List<Market> markets() {
        return prices.all();
    }

    @Override
    public Prices prices() {
        return prices;
    }

    /// The policy that was chosen by command; empty when none was.
    public String policy() {
        return policy;
    }

    /// No agent holds a longer lease than this; zero where that was never recorded.
    public Duration lease() {
        return agents.lease();
    }

    public int runningJobs() {
        return jobs.runs.size();
    }

    @Override
    public @Nullable Job job(JobId id) {
        return jobs.table.job(id.number());
    }

    @Override
    public @Nullable NodeView node(NodeId id) {
        return nodes.find(id);
    }

    @Override
    public List<NodeView> nodes() {
        return nodes.views();
    }

    @Override
    public @Nullable Tenant tenant(TenantId id) {
        Tenants.Entry entry = tenants.find(id);
        return entry == null ? null : entry.tenant;
    }

    @Override
    public List<Tenant> tenants() {
        return tenants.all();
    }

    @Override
    public Usage usage(TenantId id) {
        Tenants.Entry entry = tenants.find(id);
        return entry == null ? Usage.NONE : entry.usage;
    }

    @Override
    public long keptBeside(TenantId id) {
        return tenants.keptBeside(id);
    }

    @Override
    public List<Job> firstByNeed(TenantId tenant) {
        return jobs.quotaLine.firsts(tenant);
    }

    @Override
    public boolean standsBefore(Job one, Job other) {
        return jobs.waiting.standsBefore(one, other);
    }

    @Override
    public List<Claim> claims() {
        return List.copyOf(claims.values());
    }

    @Override
    public Iterable<Job> preemptible() {
        return jobs.runs.preemptible();
    }

    @Override
    public Iterable<Job> byExpectedEnd() {
        return jobs.runs.byEnd();
    }

    @Override
    public long fleetVersion() {
        return nodes.index().version();
    }

    @Override
    public Typical typical() {
        return workload.typical();
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
        return workload.image();
    }

    /// How large the payloads of all jobs that have not ended are, in characters.
    public long payloadSize() {
        return jobs.payloads.total();
    }

    /// The same for the jobs of one tenant.
    public long payloadSize(TenantId tenant) {
        return jobs.payloads.of(tenant);
    }

    @Override
    public long waitingJobs() {
        return jobs.waitingJobs;
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
