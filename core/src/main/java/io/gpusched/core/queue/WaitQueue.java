package io.gpusched.core.queue;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.queue.TenantTree.Queue;
import io.gpusched.core.tenants.ClusterShares;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/// The queue of waiting jobs, grouped into classes of jobs that get equal answers.
///
/// The idea: a cluster with a million waiting jobs has a few thousand classes, and a cycle looks at
/// the heads of classes, never at all jobs. A class whose head was refused rests until something
/// happens that could change the answer; resting classes cost nothing.
///
/// Entries of jobs that left (cancelled, held, moved to another priority) stay in the queue of
/// their class until they reach its head or outnumber the waiting jobs, so removing a job is cheap.
/// Which classes rest is not part of the recorded state: it never changes a decision, only how soon
/// the same decision is found.
public final class WaitQueue implements JobQueue {
    /// The number of entries of jobs that left that a queue may keep, however short it is. Each may
    /// be the only entry on its page of [QueueLinks].
    private static final int MOST_GONE = 8;

    private final JobsByNumber table;
    private final TenantTree tree;
    private ToLongFunction<Job> order;
    private final QueueLinks queueLinks = new QueueLinks();
    private final WaitClasses waitClasses = new WaitClasses(queueLinks);
    private final TurnOrder turnOrder = new TurnOrder(waitClasses);
    private final List<Set<WaitClass>> byNeed = new ArrayList<>();
    private final Set<WaitClass> hopeless = new LinkedHashSet<>();
    private final Map<TenantId, Set<WaitClass>> byTenant = new LinkedHashMap<>();

    /// The resting classes that wake at a known time, by that time.
    private final WinnerTree wakeTimes = new WinnerTree();

    private final PostponedJobs postponed;
    private final Set<Long> apart = new LinkedHashSet<>();
    private long passed = Long.MIN_VALUE;
    private long lending;
    private boolean byOrder;

    /// How many classes rest.
    private int resting;

    /// A queue without tenants.
    public WaitQueue(JobsByNumber table, ToLongFunction<Job> order) {
        this(table, order, TenantTree.withoutTenants());
    }

    /// A queue of jobs of these tenants; under fair share their shares decide the order.
    public WaitQueue(
            JobsByNumber table,
            ToLongFunction<Job> order,
            TenantLedger tenants,
            ClusterShares clusterShares) {
        this(table, order, new TenantTree(tenants, clusterShares));
    }

    private WaitQueue(JobsByNumber table, ToLongFunction<Job> order, TenantTree tree) {
        this.table = table;
        this.order = order;
        this.tree = tree;
        this.postponed = new PostponedJobs(table, PostponedJobs::dueAt);
        for (int need = 0; need <= Gpu.MOST_PER_NODE; need++) {
            byNeed.add(new LinkedHashSet<>());
        }
    }

    @Override
    public @Nullable WaitClass first() {
        return turnOrder.first(Queue.AWAKE);
    }

    @Override
    public @Nullable WaitClass firstBlocked() {
        return turnOrder.first(Queue.BLOCKED);
    }

    @Override
    public boolean goesBefore(Job one, Job other) {
        int byTenant = turnOrder.compare(one, other);
        return byTenant == 0 ? precedes(one, other) : byTenant > 0;
    }

    @Override
    public boolean precedes(Job one, Job other) {
        long its = key(one);
        long others = key(other);
        return its < others || (its == others && one.id().number() < other.id().number());
    }

    @Override
    public boolean mayOvertake(Job one, Job holder) {
        Boolean decided = turnOrder.mayOvertake(one, holder);
        return decided == null ? precedes(one, holder) : decided;
    }

    @Override
    public void byTenant(boolean byTenant) {
        if (byTenant != isByTenant()) {
            turnOrder.by(byTenant ? tree : null);
        }
    }

    @Override
    public void preemptByOrder(boolean wanted) {
        byOrder = wanted;
    }

    @Override
    public void byAge(boolean byAge) {
        turnOrder.byAge(byAge);
    }

    @Override
    public void ranked(boolean ranked) {
        turnOrder.rank(ranked, table);
    }

    /// The key by which jobs get a quota: the order of the queue, or the longest wait first where a
    /// model orders the queue.
    public ToLongFunction<Job> quotaOrder() {
        return turnOrder.areRanked() ? RankedHeads::waitKey : order;
    }

    @Override
    public RankedHeads rankedHeads() {
        return turnOrder.rankedHeads();
    }

    @Override
    public @Nullable WaitClass oldest() {
        return turnOrder.oldest();
    }

    public boolean isByTenant() {
        return turnOrder.areByTenant();
    }

    @Override
    public void begins(Instant now) {
        turnOrder.begins(now);
    }

    public void tenantsChanged() {
        turnOrder.tenantsChanged();
    }

    /// Updates the order after the tenant's usage changed.
    public void holdsChanged(TenantId tenant) {
        turnOrder.holdsChanged(tenant);
    }

    /// Tenants with waiting jobs in the order of their turns; none where tenants do not take turns.
    public List<TenantId> inTurn(Instant now) {
        return turnOrder.inTurn(now);
    }

    @Override
    public long lending() {
        return lending;
    }

    /// Tenants may borrow more than before.
    public void lendingGrew() {
        lending++;
        wakeUnderGuarantee();
    }

    /// Wakes classes that wait for capacity while their tenant is below its guarantee: their jobs
    /// may now reclaim what other tenants borrow.
    public void wakeUnderGuarantee() {
        for (WaitClass one : turnOrder.underGuarantee()) {
            if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
                wake(one);
            }
        }
    }

    @Override
    public long key(Job job) {
        return order.applyAsLong(job);
    }

    @Override
    public List<Job> firstJobs(int most) {
        var topK = new TopK(most);
        for (WaitClass one : waitClasses.all()) {
            if (one.live > 0) {
                one.forEach(
                        (key, number) -> !isWaiting(one, key, number) || topK.visit(key, number));
            }
        }
        var jobs = new ArrayList<Job>();
        for (long number : topK.numbers()) {
            jobs.add(Objects.requireNonNull(table.job(number)));
        }
        return jobs;
    }

    /// Whether the entry belongs to a job that still waits in this class.
    private boolean isWaiting(WaitClass one, long key, long number) {
        Job job = queueLinks.in(number) == one.slot ? table.job(number) : null;
        return job != null && key(job) == key;
    }

    @Override
    public int classes() {
        return waitClasses.occupied();
    }

    @Override
    public void restUntilCapacity(WaitClass one, boolean isHopeless) {
        rest(one, isHopeless ? WaitClass.Rest.HOPELESS : WaitClass.Rest.CAPACITY);
        byNeed.get(one.need).add(one);
        if (isHopeless) {
            hopeless.add(one);
        } else {
            turnOrder.put(Queue.BLOCKED, one);
        }
    }

    private void rest(WaitClass one, WaitClass.Rest how) {
        wake(one);
        turnOrder.remove(Queue.AWAKE, one);
        resting++;
        one.rest = how;
    }

    @Override
    public void atTheLatest(WaitClass one, Instant when) {
        if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
            wakeAt(one, when);
        }
    }

    private void wakeAt(WaitClass one, Instant when) {
        one.restsUntil = Instants.micros(when);
        wakeTimes.put(one.slot, one.restsUntil, one.slot);
    }

    @Override
    public void restUntilFleetChanges(WaitClass one) {
        rest(one, WaitClass.Rest.FLEET);
    }

    @Override
    public void restUntilTenantChanges(WaitClass one, TenantId tenant) {
        rest(one, WaitClass.Rest.TENANT);
        one.restsOn = tenant;
        byTenant.computeIfAbsent(tenant, id -> new LinkedHashSet<>()).add(one);
    }

    @Override
    public void restUntil(WaitClass one, Instant when) {
        rest(one, WaitClass.Rest.TIME);
        wakeAt(one, when);
    }

    @Override
    public void wake(WaitClass one) {
        switch (one.rest) {
            case AWAKE -> {
                return;
            }
            case CAPACITY -> {
                byNeed.get(one.need).remove(one);
                turnOrder.remove(Queue.BLOCKED, one);
            }
            case HOPELESS -> {
                byNeed.get(one.need).remove(one);
                hopeless.remove(one);
            }
            case TENANT -> byTenant.getOrDefault(one.restsOn, new LinkedHashSet<>()).remove(one);
            case TIME, FLEET -> {}
        }
        resting--;
        wakeTimes.remove(one.slot);
        one.rest = WaitClass.Rest.AWAKE;
        turnOrder.put(Queue.AWAKE, one);
    }

    /// Wakes classes that could use a node with `idle` idle GPUs, and those of a priority over
    /// `lowest` that could use one with `within` GPUs idle or held by preemptible jobs.
    public void capacityGrew(int idle, int within, int lowest) {
        for (int need = 0; need <= idle; need++) {
            wakeAll(byNeed.get(need));
        }
        for (int need = idle + 1; need <= Math.min(within, Gpu.MOST_PER_NODE); need++) {
            for (WaitClass one : List.copyOf(byNeed.get(need))) {
                if (byOrder || one.key.priority() > lowest) {
                    wake(one);
                }
            }
        }
    }

    /// Wakes hopeless classes: capacity has become usable that was not before, perhaps under a
    /// running job.
    public void wakeHopeless() {
        wakeAll(hopeless);
    }

    public void tenantChanged(TenantId tenant) {
        wakeAll(byTenant.getOrDefault(tenant, new LinkedHashSet<>()));
    }

    public void wakeAll() {
        if (resting > 0) {
            waitClasses.all().forEach(this::wake);
        }
    }

    /// Wakes the classes of replicas: whether jobs are preempted for them depends on their pools.
    public void wakeReplicas() {
        wakeAll(resting > 0 ? waitClasses.ofReplicas() : List.of());
    }

    /// Wakes classes whose answers may depend on the labels of nodes.
    public void labelsChanged() {
        wakeAll(waitClasses.lookingAtLabels());
    }

    /// Adds postponed jobs and wakes classes whose time has come.
    public void timePassed(Instant now) {
        long micros = Instants.micros(now);
        passed = Math.max(passed, micros);
        postponed.takeDue(micros, this::enter);
        for (WaitClass one = nextToWake();
                one != null && one.restsUntil <= micros;
                one = nextToWake()) {
            wake(one);
        }
    }

    private @Nullable WaitClass nextToWake() {
        int slot = wakeTimes.first();
        return slot < 0 ? null : waitClasses.at(slot);
    }

    /// The time of the next wake-up or of the next postponed job; null if there is neither.
    public @Nullable Instant nextDue() {
        long due = postponed.nextDue();
        WaitClass first = nextToWake();
        due = first == null ? due : Math.min(due, first.restsUntil);
        return due == Long.MAX_VALUE ? null : Instants.ofMicros(due);
    }

    /// Adds a waiting job that may be tried from its `notBefore` on.
    public void add(Job job) {
        if (PostponedJobs.dueAt(job) <= passed) {
            enter(job);
        } else {
            postponed.add(job);
        }
    }

    /// Removes the job from the queue, if it is there.
    public void remove(Job job) {
        remove(job.id().number());
    }

    public void remove(long number) {
        WaitClass one = classOf(number);
        if (one == null) {
            return;
        }
        one.live--;
        if (one.head() != number) {
            queueLinks.leave(number);
            if (one.gone() > Math.max(MOST_GONE, 2 * one.live)) {
                one.keepOnly((key, other) -> isWaiting(one, key, other));
            }
            return;
        }
        one.firstLeaves();
        if (one.live == 0) {
            drop(one);
        } else {
            forgetGone(one);
            headChanged(one);
        }
    }

    /// The class in which the job waits. Most jobs that leave are the first of the queue, whose
    /// class is known without a look-up.
    private @Nullable WaitClass classOf(long number) {
        WaitClass first = turnOrder.areByTenant() ? null : first();
        if (first != null && first.head() == number) {
            return first;
        }
        int slot = queueLinks.in(number);
        return slot == QueueLinks.NOWHERE ? null : waitClasses.at(slot);
    }

    /// Keeps the job out of the queue until [#endApart], whatever else happens to it: other jobs
    /// are being preempted for it.
    public void setApart(Job job) {
        remove(job);
        apart.add(job.id().number());
    }

    /// Lets the job be in the queue again.
    public void endApart(JobId job) {
        apart.remove(job.number());
    }

    /// Reorders everything by another order.
    ///
    /// @param byLength whether jobs that differ only in how long they may run may get different
    ///        answers
    public void reorder(ToLongFunction<Job> next, boolean byLength, Iterable<Job> waiting) {
        for (WaitClass one : waitClasses.copy()) {
            if (one.live > 0) {
                one.live = 0;
                drop(one);
            }
        }
        queueLinks.clear();
        postponed.clear();
        order = next;
        waitClasses.byLength(byLength);
        for (Job job : waiting) {
            add(job);
        }
    }

    private void enter(Job job) {
        long number = job.id().number();
        if (!apart.isEmpty() && apart.contains(number)) {
            return;
        }
        WaitClass one = waitClasses.of(job);
        if (!queueLinks.enter(number, one.slot)) {
            return;
        }
        long key = order.applyAsLong(job);
        boolean isFirst = one.live == 0 || one.isAfter(key, number);
        one.add(key, number);
        one.live++;
        if (one.live == 1) {
            waitClasses.entered();
        } else if (isFirst) {
            wake(one);
        }
        if (isFirst) {
            headChanged(one);
        }
    }

    /// The class has no jobs left.
    private void drop(WaitClass one) {
        wake(one);
        turnOrder.remove(Queue.AWAKE, one);
        turnOrder.leave(one);
        one.clear();
        waitClasses.emptied();
    }

    /// Updates the order after the first job of the class changed. Where heads are ranked, the new
    /// one may have waited longer than the one before it.
    private void headChanged(WaitClass one) {
        turnOrder.headChanged(one);
        if (turnOrder.areRanked()) {
            wake(one);
        }
    }

    /// Drops entries of jobs that left, and of jobs that have another key by now, from the head of
    /// the class until its head is a waiting job. If no job has left, nothing is checked.
    private void forgetGone(WaitClass one) {
        while (one.gone() > 0 && !isWaiting(one, one.firstKey(), one.firstNumber())) {
            one.removeFirst();
        }
    }

    private void wakeAll(Collection<WaitClass> resting) {
        if (!resting.isEmpty()) {
            List.copyOf(resting).forEach(this::wake);
        }
    }
}
