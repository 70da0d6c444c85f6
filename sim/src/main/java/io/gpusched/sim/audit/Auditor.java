package io.gpusched.sim.audit;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Checks the scheduler's invariants after every event, with its own bookkeeping whose cost is
/// proportional to the change:
///
///   * no capacity is granted twice, or to a job whose request it does not meet;
///   * a gang is placed whole, in one topology domain if required, and runs whole or not at all;
///   * no job is placed beyond a quota, and quotas are charged and returned exactly once;
///   * no job is lost, duplicated, or run twice at once; time never goes back;
///   * a claim has a reason, an end and a holder that needs it, and no other job gets its capacity;
///   * a job is preempted only for one of strictly higher priority, or one that precedes it in a
///     preemptive order, and only if its tenant allows it; or because it borrows GPUs that a
///     guarantee needs.
public final class Auditor implements Listener {
    private final Map<JobId, JobAudit> jobs = new TreeMap<>();
    private final Map<NodeId, NodeAudit> nodes = new TreeMap<>();
    private final TenantAudit tenants = new TenantAudit();
    private final Map<ClaimId, Claim> claims = new LinkedHashMap<>();
    private final List<JobId> preempted = new ArrayList<>();
    private final OrderAudit orders = new OrderAudit();
    private final PoolAudit pools = new PoolAudit();
    private @Nullable JobId roomFor;
    private Instant now = Instant.EPOCH;
    private long batch;
    private long lastJob;
    private long waiting;
    private long holding;
    private long events;

    @Override
    public void concluded(Batch next, CycleResult cycleResult) {
        Violation.unless(
                next.number() == batch + 1, "batch %s comes after batch %s", next.number(), batch);
        batch = next.number();
        next.facts().forEach(event -> audit(event, next));
        preempted.clear();
        next.decided().forEach(event -> audit(event, next));
        checkPreemptions(cycleResult);
        claims.values().forEach(this::checkHolder);
    }

    /// The number of events checked so far.
    public long events() {
        return events;
    }

    /// Compares the sums with those of the scheduler's ledger.
    public void compare(ClusterView ledger) {
        Violation.unless(
                ledger.waitingJobs() == waiting,
                "the ledger counts %s waiting jobs, there are %s",
                ledger.waitingJobs(),
                waiting);
        tenants.compare(ledger);
    }

    /// Recomputes every sum from all present jobs. Expensive: for the end of a run, or now and
    /// then.
    public void settle() {
        tenants.settle(jobs.values());
        long holders = jobs.values().stream().filter(JobAudit::holdsCapacity).count();
        Violation.unless(holders == holding, "%s jobs hold capacity, counted %s", holders, holding);
        Violation.unless(
                holders + waiting == jobs.size(),
                "of %s jobs %s hold capacity and %s wait",
                jobs.size(),
                holders,
                waiting);
    }

    private void audit(Event event, Batch in) {
        events++;
        try {
            Violation.unless(
                    !event.at().isBefore(now) && event.at().equals(in.at()),
                    "time went from %s to %s in a batch of %s",
                    now,
                    event.at(),
                    in.at());
            now = event.at();
            orders.hear(event);
            record(event);
        } catch (Violation violation) {
            throw new Violation(
                    "batch %d, %s: %s".formatted(in.number(), event, violation.getMessage()));
        }
    }

    private void record(Event event) {
        switch (event) {
            case Event.JobSubmitted e -> submitted(e);
            case Event.JobUpdated e -> job(e.job()).priority = e.priority();
            case Event.JobHeld e ->
                    job(e.job()).move(JobAudit.Stage.HELD, e, JobAudit.Stage.WAITING);
            case Event.JobReleased e ->
                    job(e.job()).move(JobAudit.Stage.WAITING, e, JobAudit.Stage.HELD);
            case Event.AttemptPlaced e -> placed(e);
            case Event.TaskChanged e -> current(e.attempt(), e);
            case Event.TaskIdle e -> current(e.attempt(), e);
            case Event.AttemptRunning e ->
                    current(e.attempt(), e)
                            .move(JobAudit.Stage.RUNNING, e, JobAudit.Stage.STARTING);
            case Event.AttemptStopping e -> stopping(e);
            case Event.StartRefused e -> current(e.attempt(), e);
            case Event.RefusalConfirmed e -> node(e.node());
            case Event.AvoidanceEnded e -> job(e.job());
            case Event.JobRequeued e -> requeued(e);
            case Event.CapacityChosen e -> job(e.job());
            case Event.JobEnded e -> ended(e);
            case Event.ClaimMade e -> claimed(e.claim());
            case Event.ClaimDropped e -> dropped(e);
            case Event.NodeJoined e ->
                    nodes.computeIfAbsent(e.node().id(), id -> new NodeAudit(e.node()))
                            .describe(e.node());
            case Event.NodeChanged e -> node(e.node()).status(e.status());
            case Event.NodeRemoved e -> removed(e.node());
            case Event.GpuChanged e -> node(e.node()).condition(e.gpu(), e.condition());
            case Event.ForeignChanged e -> node(e.node()).foreign(e.all());
            case Event.TenantPut e -> tenants.put(e.tenant(), jobs.values());
            case Event.TenantRemoved e -> tenants.remove(e.tenant());
            case Event.AgentJoined e -> {}
            case Event.AgentLost _, Event.SpotSeen _ -> {}
            case Event.PoolPut e -> {}
            case Event.PoolLoadChanged e -> {}
            case Event.PoolRemoved e -> pools.removed(e.pool());
            case Event.PoolHeld e -> {}
            case Event.PoolRecommended e -> {}
            case Event.PoolScaled e -> pools.scaled(e);
            case Event.PoolLapsed e -> {}
            case Event.PoolChoice e -> {}
            case Event.ReplicaDraining e -> {}
            case Event.ModelPut e -> {}
            case Event.ModelRemoved e -> {}
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> {}
            case Event.BindingPut e -> {}
            case Event.BindingRemoved e -> {}
            case Event.ModelCached e -> {}
            case Event.ModelWanted _, Event.ModelUnwanted _ -> {}
            case Event.MarketChanged _, Event.ForecastPut _, Event.ForecastRemoved _ -> {}
            case Event.Observed e -> {}
            case Event.Scored e -> {}
            case Event.RetentionChanged _, Event.Imported _ -> {}
            case Event.EngineStarted e -> {}
            case Event.LeaseBound e -> {}
            case Event.OrdersDelayed e -> {}
            case Event.PolicyChanged e -> {}
        }
    }

    private void submitted(Event.JobSubmitted e) {
        pools.submitted(e);
        Violation.unless(e.job().number() == lastJob + 1, "the job before was number %s", lastJob);
        lastJob = e.job().number();
        jobs.put(e.job(), new JobAudit(e.job(), e.spec(), e.held()));
        waiting++;
    }

    private void placed(Event.AttemptPlaced e) {
        JobAudit job = job(e.attempt().job());
        job.move(JobAudit.Stage.STARTING, e, JobAudit.Stage.WAITING);
        Violation.unless(
                e.attempt().number() == job.attempts + 1, "%s ran %s times", job.id, job.attempts);
        checkWhole(job, e.on());
        checkNear(job, e.on());
        checkUnclaimed(job.id, e.on());
        for (Slot slot : e.on().slots()) {
            node(slot.node()).take(slot, job.spec.roles().get(slot.role()).shape(), e.attempt());
        }
        tenants.charge(job.spec);
        job.attempts++;
        job.attempt = e.attempt();
        job.on = e.on();
        job.placed = e.at();
        waiting--;
        holding++;
    }

    private static void checkWhole(JobAudit job, Placement on) {
        Violation.unless(
                on.slots().size() == job.spec.tasks(),
                "%s slots for %s tasks",
                on.slots().size(),
                job.spec.tasks());
        int[] ofRole = new int[job.spec.roles().size()];
        for (int rank = 0; rank < on.slots().size(); rank++) {
            Slot slot = on.slots().get(rank);
            Violation.unless(slot.rank() == rank, "slot %s has rank %s", rank, slot.rank());
            ofRole[slot.role()]++;
        }
        for (int role = 0; role < ofRole.length; role++) {
            Violation.unless(
                    ofRole[role] == job.spec.roles().get(role).min(),
                    "%s tasks of role %s",
                    ofRole[role],
                    role);
        }
    }

    /// Tasks that must share a topology domain do.
    private void checkNear(JobAudit job, Placement on) {
        for (Proximity proximity : job.spec.near()) {
            var places = new LinkedHashSet<List<String>>();
            if (proximity.required() && on.slots().size() > 1) {
                on.slots().forEach(slot -> places.add(node(slot.node()).place(proximity.level())));
                Violation.unless(
                        places.size() == 1 && !places.getFirst().getLast().isEmpty(),
                        "tasks that must share a %s are in %s: %s",
                        proximity.level(),
                        places,
                        on);
            }
        }
    }

    /// Capacity that preemption frees for one job must not go to another.
    private void checkUnclaimed(JobId job, Placement on) {
        for (Claim claim : claims.values()) {
            if (claim.kind() == Claim.Kind.RESERVATION || claim.isFor(job)) {
                continue;
            }
            for (Slot claimed : claim.slots()) {
                for (Slot slot : on.slots()) {
                    Violation.unless(
                            !slot.node().equals(claimed.node())
                                    || apart(slot.grant(), claimed.grant()),
                            "GPUs of %s are claimed: %s",
                            slot.node(),
                            claim);
                }
            }
        }
    }

    /// Shares of one GPU may lie beside each other; their sum is another rule.
    private static boolean apart(Grant one, Grant other) {
        if (one instanceof Grant.Slices(var some) && other instanceof Grant.Slices(var others)) {
            return some.stream()
                    .noneMatch(
                            a ->
                                    others.stream()
                                            .anyMatch(
                                                    b ->
                                                            a.gpu() == b.gpu()
                                                                    && (a.bits() & b.bits()) != 0));
        }
        boolean shares = one instanceof Grant.Shares && other instanceof Grant.Shares;
        return shares || (one.mask() & other.mask()) == 0;
    }

    private void stopping(Event.AttemptStopping e) {
        JobAudit job = current(e.attempt(), e);
        boolean cancelled = e.cause().kind() == StopCause.Kind.CANCELLED;
        job.move(
                JobAudit.Stage.STOPPING,
                e,
                JobAudit.Stage.STARTING,
                JobAudit.Stage.RUNNING,
                cancelled ? JobAudit.Stage.STOPPING : JobAudit.Stage.RUNNING);
        if (e.cause().kind() == StopCause.Kind.PREEMPTED) {
            JobAudit other = roomFor == null ? null : jobs.get(roomFor);
            if (other == null || !tenants.mayTakeBack(other, job, jobs.values())) {
                Violation.unless(
                        tenants.mayBePreempted(job),
                        "its tenant does not let it be preempted (again)");
                preempted.add(job.id);
            }
        }
    }

    private void requeued(Event.JobRequeued e) {
        JobAudit job = job(e.job());
        release(job, e);
        job.move(
                JobAudit.Stage.WAITING,
                e,
                JobAudit.Stage.STARTING,
                JobAudit.Stage.RUNNING,
                JobAudit.Stage.STOPPING);
        job.evictions += e.lost() ? 0 : 1;
        waiting++;
    }

    private void ended(Event.JobEnded e) {
        pools.ended(e.job());
        JobAudit job = job(e.job());
        if (job.holdsCapacity()) {
            release(job, e);
        } else {
            waiting--;
        }
        jobs.remove(e.job());
    }

    private void release(JobAudit job, Event e) {
        Placement on = job.on;
        if (on == null) {
            throw new Violation("%s, but %s holds nothing".formatted(e, job.id));
        }
        on.slots().forEach(slot -> node(slot.node()).release(slot));
        tenants.refund(job.spec);
        job.on = null;
        job.attempt = null;
        holding--;
    }

    private void claimed(Claim claim) {
        Violation.unless(claim.until().isAfter(now), "it is over before it begins");
        Violation.unless(!claim.reason().isBlank(), "it has no reason: %s", claim);
        Violation.unless(claims.put(claim.id(), claim) == null, "its number was used before");
        Violation.unless(claims.size() <= jobs.size(), "more claims than jobs: %s", claims.size());
        checkHolder(claim);
        if (claim.kind() == Claim.Kind.ROOM
                && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            roomFor = of.job();
        }
    }

    private void dropped(Event.ClaimDropped e) {
        Claim claim = claims.remove(e.claim());
        Violation.unless(claim != null, "there is no such claim");
        if (claim != null
                && claim.kind() == Claim.Kind.ROOM
                && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            JobAudit job = jobs.get(of.job());
            if (job != null) {
                job.roomEnded = e.at();
            }
        }
    }

    private void checkHolder(Claim claim) {
        if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            JobAudit job = jobs.get(of.job());
            Violation.unless(
                    job != null && job.stage == JobAudit.Stage.WAITING,
                    "its holder does not wait: %s",
                    claim);
        }
    }

    private void removed(NodeId id) {
        Violation.unless(node(id).tasks() == 0, "%s still runs tasks", id);
        nodes.remove(id);
    }

    private void checkPreemptions(CycleResult cycleResult) {
        for (JobId victim : preempted) {
            JobId preemptor = preemptorOf(victim, cycleResult);
            if (preemptor == null) {
                throw new Violation(victim + " was preempted, but for no job");
            }
            Violation.unless(
                    orders.decides()
                            ? orders.comesBefore(preemptor, victim, now)
                            : job(preemptor).priority > job(victim).priority,
                    "%s of priority %s was preempted for %s of priority %s",
                    victim,
                    job(victim).priority,
                    preemptor,
                    job(preemptor).priority);
            Violation.unless(
                    !orders.decides() || job(victim).spec.onLoss().requeue(),
                    "%s takes turns with %s, but runs only once",
                    victim,
                    preemptor);
            // Capacity that preemption frees is offered to no other job: a more important job waits
            // until it is used.
            Violation.unless(
                    orders.decides()
                            || !now.equals(job(victim).placed)
                            || now.equals(job(victim).roomEnded),
                    "%s was preempted for %s in the moment it was placed",
                    victim,
                    preemptor);
            Violation.unless(
                    tenants.mayPreempt(job(preemptor)),
                    "the tenant of %s may not preempt others",
                    preemptor);
        }
    }

    private static @Nullable JobId preemptorOf(JobId victim, CycleResult cycleResult) {
        for (var tried : cycleResult.attempts().entrySet()) {
            if (tried.getValue() instanceof TurnOutcome.Preempts room
                    && room.victims().contains(victim)) {
                return tried.getKey();
            }
        }
        return null;
    }

    private JobAudit current(AttemptId attempt, Event event) {
        JobAudit job = job(attempt.job());
        job.checkIsCurrent(attempt, event);
        return job;
    }

    private JobAudit job(JobId id) {
        JobAudit job = jobs.get(id);
        if (job == null) {
            throw new Violation("%s is unknown or has ended".formatted(id));
        }
        return job;
    }

    private NodeAudit node(NodeId id) {
        NodeAudit node = nodes.get(id);
        if (node == null) {
            throw new Violation("%s is unknown".formatted(id));
        }
        return node;
    }
}
