package io.gpusched.server.view;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Ranking;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.DeadlineLedger;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes the views. It sees each batch before and after the engine applies it, notes what the batch
/// touches, and reads only that again. The follower's thread owns it.
///
///     maker.before(batch, engine) → engine.apply(batch) → maker.after(engine, …) →
/// maker.view(engine)
public final class ViewMaker {
    /// An ended job that is counted until the cluster state drops it.
    private record Gone(long number, TenantId tenant, PublicState state) {}

    private final LatestTurns latestTurns = new LatestTurns();
    private final PoolViewMaker pools;
    private final StateCounts all = new StateCounts();
    private final Map<TenantId, StateCounts> byTenant = new HashMap<>();
    private final Map<TenantId, JobNumbers> jobNumbers = new HashMap<>();
    private final Deque<Gone> ended = new ArrayDeque<>();
    private final Map<JobId, @Nullable PublicState> stateBefore = new LinkedHashMap<>();
    private final Set<NodeId> touchedNodes = new LinkedHashSet<>();
    private final Set<TenantId> touchedTenants = new LinkedHashSet<>();
    private boolean fleetChanged = true;
    private boolean idleChanged = true;
    private boolean claimsChanged = true;
    private Map<JobId, DeadlineLedger.Entry> deadlines = Map.of();
    private long deadlinesVersion = -1;
    private boolean anyIdle;
    private Map<JobId, Instant> idle = Map.of();
    private Map<JobId, KeptCapacity> kept = Map.of();
    private LargestNode largestNode = LargestNode.NONE;
    private PersistentMap<NodeId, NodeRow> nodes = PersistentMap.none();
    private PersistentMap<TenantId, TenantRow> tenants = PersistentMap.none();

    public ViewMaker(Engine engine) {
        pools = new PoolViewMaker(engine.state());
        readEverything(engine.state());
    }

    private void readEverything(ClusterState state) {
        var gone = new ArrayList<Job>();
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            if (job != null) {
                count(job.tenant(), PublicState.of(job), 1);
                numbers(job.tenant()).add(number);
                if (job.ended()) {
                    gone.add(job);
                }
            }
        }
        gone.sort(
                Comparator.comparing(
                        job ->
                                job.phase() instanceof Phase.Ended over
                                        ? over.at()
                                        : job.submitted()));
        gone.forEach(this::willBeForgotten);
        state.nodes().all().forEach(node -> touchedNodes.add(node.facts().id()));
        state.tenants().all().forEach(tenant -> touchedTenants.add(tenant.id()));
    }

    /// Why jobs wait, for each job that a cycle has tried to place.
    public LatestTurns latestTurns() {
        return latestTurns;
    }

    /// Notes what the batch is going to change.
    public void before(Batch batch, Engine engine) {
        batch.facts().forEach(event -> note(event, engine.state()));
        batch.decided().forEach(event -> note(event, engine.state()));
    }

    private void note(Event event, ClusterState state) {
        pools.note(event, state);
        claimsChanged |= !kept.isEmpty() && changesRuns(event);
        idleChanged |= event instanceof Event.TaskIdle || anyIdle && endsIdleness(event);
        switch (event) {
            case Event.JobSubmitted e -> {
                stateBefore.put(e.job(), null);
                touchedTenants.add(e.spec().tenant());
            }
            case Event.JobHeld e -> noteJob(e.job(), state);
            case Event.JobReleased e -> noteJob(e.job(), state);
            case Event.AttemptPlaced e -> {
                noteJob(e.attempt().job(), state);
                notePlaces(e.on());
            }
            case Event.AttemptRunning e -> noteJob(e.attempt().job(), state);
            case Event.AttemptStopping e -> noteJob(e.attempt().job(), state);
            case Event.RefusalConfirmed e -> touchedNodes.add(e.node());
            case Event.JobRequeued e -> noteJob(e.job(), state);
            case Event.JobEnded e -> noteJob(e.job(), state);
            case Event.NodeJoined e -> {
                touchedNodes.add(e.node().id());
                fleetChanged = true;
            }
            case Event.NodeChanged e -> touchedNodes.add(e.node());
            case Event.NodeRemoved e -> {
                touchedNodes.add(e.node());
                fleetChanged = true;
            }
            case Event.GpuChanged e -> touchedNodes.add(e.node());
            case Event.ForeignChanged e -> touchedNodes.add(e.node());
            case Event.TenantPut e -> noteTenant(e.tenant().id(), state);
            case Event.TenantRemoved e -> noteTenant(e.tenant(), state);
            case Event.ClaimMade e -> claimsChanged = true;
            case Event.ClaimDropped e -> claimsChanged = true;
            case Event.JobUpdated _, Event.TaskChanged _, Event.TaskIdle _ -> {}
            case Event.StartRefused _, Event.AvoidanceEnded _, Event.AgentJoined _ -> {}
            case Event.AgentLost _, Event.PoolPut _, Event.PoolLoadChanged _ -> {}
            case Event.PoolRemoved _, Event.PoolHeld _, Event.PoolRecommended _ -> {}
            case Event.PoolScaled _, Event.PoolLapsed _, Event.ReplicaDraining _ -> {}
            case Event.ModelPut _, Event.ModelRemoved _, Event.AgentClassPut _ -> {}
            case Event.BindingPut _, Event.BindingRemoved _, Event.ModelCached _ -> {}
            case Event.ModelWanted _, Event.ModelUnwanted _, Event.AgentClassRemoved _ -> {}
            case Event.MarketChanged _, Event.Observed _, Event.Scored _ -> {}
            case Event.RetentionChanged _, Event.Imported _, Event.EngineStarted _ -> {}
            case Event.LeaseBound _, Event.OrdersDelayed _, Event.PolicyChanged _ -> {}
            case Event.CapacityChosen e -> noteJob(e.job(), state);
            case Event.PoolChoice _, Event.SpotSeen _ -> {}
            case Event.ForecastPut _, Event.ForecastRemoved _ -> {}
        }
    }

    /// What a reservation waits for depends on the jobs that run.
    private static boolean changesRuns(Event event) {
        return event instanceof Event.AttemptPlaced
                || event instanceof Event.AttemptRunning
                || event instanceof Event.AttemptStopping
                || event instanceof Event.JobRequeued
                || event instanceof Event.JobEnded;
    }

    private static boolean endsIdleness(Event event) {
        return event instanceof Event.TaskChanged
                || event instanceof Event.JobRequeued
                || event instanceof Event.JobEnded;
    }

    private void noteJob(JobId id, ClusterState state) {
        Job job = state.job(id);
        if (job == null) {
            return;
        }
        stateBefore.putIfAbsent(id, PublicState.of(job));
        noteTenant(job.tenant(), state);
        Run run = job.phase().run();
        if (run != null) {
            notePlaces(run.on());
        }
    }

    /// A tenant's usage counts for its parents too.
    private void noteTenant(TenantId id, ClusterState state) {
        TenantId each = id;
        while (each != null) {
            touchedTenants.add(each);
            Tenant tenant = state.tenants().find(each);
            each = tenant == null ? null : tenant.parent();
        }
    }

    private void notePlaces(Placement on) {
        for (Slot slot : on.slots()) {
            touchedNodes.add(slot.node());
        }
    }

    /// Takes the reasons why jobs wait from a cycle that changed nothing.
    public void tried(CycleResult cycleResult, Engine engine) {
        latestTurns.add(cycleResult, engine);
    }

    /// Updates counts and rows that the batch has changed.
    public void after(Engine engine, CycleResult cycleResult) {
        latestTurns.add(cycleResult, engine);
        for (JobId id : stateBefore.keySet()) {
            Job job = engine.state().job(id);
            if (job == null) {
                continue;
            }
            PublicState before = stateBefore.get(id);
            PublicState now = PublicState.of(job);
            if (before != null) {
                count(job.tenant(), before, -1);
            } else {
                numbers(job.tenant()).add(id.number());
            }
            count(job.tenant(), now, 1);
            if (!job.waiting()) {
                latestTurns.forget(id);
            }
            if (job.ended() && (before == null || !before.terminal())) {
                willBeForgotten(job);
            }
        }
        stateBefore.clear();
        // The batch may have moved tenants to other parents, or used quota of tenants that it
        // created.
        List.copyOf(touchedTenants).forEach(id -> noteTenant(id, engine.state()));
        while (!ended.isEmpty() && engine.state().jobs().job(ended.getFirst().number) == null) {
            Gone gone = ended.removeFirst();
            count(gone.tenant, gone.state, -1);
            numbers(gone.tenant).forget(engine.state().jobs());
        }
    }

    private JobNumbers numbers(TenantId tenant) {
        return jobNumbers.computeIfAbsent(tenant, id -> new JobNumbers());
    }

    private void count(TenantId tenant, PublicState state, int by) {
        all.add(state, by);
        byTenant.computeIfAbsent(tenant, id -> new StateCounts()).add(state, by);
        touchedTenants.add(tenant);
    }

    private void willBeForgotten(Job job) {
        ended.addLast(new Gone(job.id().number(), job.tenant(), PublicState.of(job)));
    }

    /// The view after all batches so far.
    public View view(Engine engine) {
        ClusterState state = engine.state();
        var newNodes = new HashMap<NodeId, @Nullable NodeRow>();
        for (NodeId id : touchedNodes) {
            NodeView node = state.nodes().find(id);
            newNodes.put(id, node == null ? null : NodeRow.of(node, state));
        }
        var newTenants = new HashMap<TenantId, @Nullable TenantRow>();
        for (TenantId id : touchedTenants) {
            newTenants.put(id, tenantRow(id, state));
            StateCounts stateCounts = byTenant.get(id);
            if (state.tenants().find(id) == null
                    && stateCounts != null
                    && stateCounts.of(null) == 0) {
                byTenant.remove(id);
                jobNumbers.remove(id);
            }
        }
        touchedNodes.clear();
        touchedTenants.clear();
        nodes = nodes.with(newNodes);
        tenants = tenants.with(newTenants);
        if (fleetChanged) {
            largestNode = LargestNode.of(nodes.all());
            fleetChanged = false;
        }
        if (idleChanged) {
            idle = idle(state);
            anyIdle = !state.idleTasks().all().isEmpty();
            idleChanged = false;
        }
        if (claimsChanged) {
            kept = KeptCapacity.all(state);
            claimsChanged = false;
        }
        Ranking ranking = engine.policy().ranking();
        return new View(
                engine.lastBatch(),
                state.lastAt(),
                state.jobs().snapshot(),
                nodes,
                tenants,
                all.copy(),
                state.waitingJobs(),
                largestNode,
                idle,
                kept,
                state.runs().assumedRuntime(),
                engine.order()::key,
                ranking == null ? "" : ranking.model(),
                engine.order().byTenant(),
                pools.view(state),
                deadlines(state.deadlineJobs()));
    }

    private Map<JobId, DeadlineLedger.Entry> deadlines(DeadlineLedger ledger) {
        if (ledger.version() != deadlinesVersion) {
            var all = new LinkedHashMap<JobId, DeadlineLedger.Entry>();
            ledger.all().forEach(entry -> all.put(entry.job(), entry));
            deadlines = Collections.unmodifiableMap(all);
            deadlinesVersion = ledger.version();
        }
        return deadlines;
    }

    private static Map<JobId, Instant> idle(ClusterState state) {
        var idle = new HashMap<JobId, Instant>();
        for (IdleTask task : state.idleTasks().all()) {
            Job job = state.job(task.attempt().job());
            Run run = job == null ? null : job.phase().run();
            Instant since =
                    run == null
                            ? null
                            : IdleTask.allSince(
                                    run, rank -> state.idleTasks().find(run.id(), rank));
            if (since != null) {
                idle.put(task.attempt().job(), since);
            }
        }
        return idle;
    }

    private @Nullable TenantRow tenantRow(TenantId id, ClusterState state) {
        Tenant tenant = state.tenants().find(id);
        JobNumbers own = jobNumbers.get(id);
        return tenant == null
                ? null
                : new TenantRow(
                        tenant,
                        state.tenants().usage(id),
                        state.tenants().totals(id),
                        byTenant.getOrDefault(id, StateCounts.NONE).copy(),
                        own == null ? JobNumbers.Numbers.NONE : own.numbers());
    }
}
