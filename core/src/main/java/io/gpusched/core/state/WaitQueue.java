package io.gpusched.core.state;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.state.TenantTree.Line;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;

/// The waiting jobs, grouped into classes of equals.
///
/// The idea: a cluster with a million waiting jobs has a few thousand classes, and a cycle looks at
/// the heads of classes, never at all jobs. A class whose head was refused rests until something
/// happens that could change the answer; resting classes cost nothing.
///
/// Jobs that left (cancelled, held, moved to another priority) stay in their class's queue until
/// they come to the front or outnumber the waiting ones; this keeps leaving cheap. Which classes
/// rest or are awake is not part of the recorded state: it never changes a decision, only how soon
/// the same decision is found.
public final class WaitQueue {
    /// How many entries of jobs that left may stay in a queue, however short it is. Each may be the
    /// only one on its page of [QueueLinks].
    private static final int MOST_GONE = 8;

    private final JobTable table;
    private final TenantTree tree;
    private ToLongFunction<Job> order;
    private final QueueLinks queueLinks = new QueueLinks();
    private final WaitClasses waitClasses = new WaitClasses(queueLinks);
    private final TurnOrder turnOrder = new TurnOrder(waitClasses);
    private final List<Set<WaitClass>> byNeed = new ArrayList<>();
    private final Set<WaitClass> hopeless = new LinkedHashSet<>();
    private final Map<TenantId, Set<WaitClass>> byTenant = new LinkedHashMap<>();
    private final KeyHeap restUntil = new KeyHeap();
    private final KeyHeap postponed = new KeyHeap();
    private final Set<Long> apart = new LinkedHashSet<>();
    private long passed = Long.MIN_VALUE;
    private long lending;
    private boolean byOrder;

    /// How many classes rest.
    private int resting;

    /// A queue on its own, without a tenant tree.
    WaitQueue(JobTable table, ToLongFunction<Job> order) {
        this(table, order, TenantTree.ofNobody());
    }

    WaitQueue(JobTable table, ToLongFunction<Job> order, TenantTree tree) {
        this.table = table;
        this.order = order;
        this.tree = tree;
        for (int need = 0; need <= Gpu.MOST_PER_NODE; need++) {
            byNeed.add(new LinkedHashSet<>());
        }
    }

    /// The class whose head is next, among those awake; null when all rest.
    public @Nullable WaitClass first() {
        return turnOrder.first(Line.AWAKE);
    }

    /// The class with the first head of those that wait for capacity; null when there is none.
    public @Nullable WaitClass firstBlocked() {
        return turnOrder.first(Line.BLOCKED);
    }

    /// Whether `one` gets its turn before `other` now: by their tenants' shares where these decide,
    /// otherwise by the queue order.
    public boolean goesBefore(Job one, Job other) {
        int byTenant = turnOrder.compare(one, other);
        return byTenant == 0 ? standsBefore(one, other) : byTenant > 0;
    }

    /// Whether `one` comes before `other` in the queue.
    boolean standsBefore(Job one, Job other) {
        long its = key(one);
        long others = key(other);
        return its < others || (its == others && one.id().number() < other.id().number());
    }

    /// Whether a job may take what is reserved for another that comes first and cannot start. Where
    /// tenants take turns, the turns change all the time; a reservation does not, unless its
    /// holder's tenant borrows while the other's is below its guarantee.
    public boolean mayOvertake(Job one, Job holder) {
        if (turnOrder.areByAge()) {
            return one.id().compareTo(holder.id()) < 0;
        }
        return !isByTenant() || one.tenant().equals(holder.tenant())
                ? standsBefore(one, holder)
                : tree.mayOvertake(one.tenant(), holder.tenant());
    }

    /// Whether tenants take turns by their shares from now on, or all jobs are in one queue.
    public void byTenant(boolean byTenant) {
        if (byTenant != isByTenant()) {
            turnOrder.by(byTenant ? tree : null);
        }
    }

    /// Whether from now on running jobs may be preempted for any job before them in the queue,
    /// whatever its priority, or only for more important ones.
    public void makeWayByOrder(boolean wanted) {
        byOrder = wanted;
    }

    /// Whether from now on the oldest job has the reservation, or the first in the queue.
    public void byAge(boolean byAge) {
        if (byAge != turnOrder.areByAge()) {
            turnOrder.byAge(byAge);
        }
    }

    /// The class with the oldest head among those that wait for nothing but capacity; null when
    /// there is none, or age does not count.
    public @Nullable WaitClass oldest() {
        return turnOrder.oldest();
    }

    boolean isByTenant() {
        return turnOrder.areByTenant();
    }

    /// A cycle begins: shares are as of now.
    public void begins(Instant now) {
        turnOrder.begins(now);
    }

    void tenantsChanged() {
        turnOrder.tenantsChanged();
    }

    /// Updates the order after the tenant's usage changed.
    void holdsChanged(TenantId tenant) {
        turnOrder.holdsChanged(tenant);
    }

    /// Tenants with waiting jobs in the order of their turns; none where tenants do not take turns.
    List<TenantId> inTurn(Instant now) {
        return turnOrder.inTurn(now);
    }

    /// Increases when more of what jobs hold may be borrowed than before.
    public long lending() {
        return lending;
    }

    /// More of what jobs hold may be borrowed than before.
    void lendingGrew() {
        lending++;
        rouseUnderGuarantee();
    }

    /// Wakes classes that wait for capacity while their tenant is below its guarantee: they may now
    /// reclaim what others borrow.
    void rouseUnderGuarantee() {
        for (WaitClass one : turnOrder.underGuarantee()) {
            if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
                rouse(one);
            }
        }
    }

    /// The key of a job in the queue.
    public long key(Job job) {
        return order.applyAsLong(job);
    }

    /// The first jobs in the queue, at most `most`, including resting ones, whichever tenant's turn
    /// it is.
    public List<Job> firstInLine(int most) {
        var topK = new TopK(most);
        for (WaitClass one : waitClasses.all()) {
            if (one.live > 0) {
                one.tell((key, number) -> !stands(one, key, number) || topK.hears(key, number));
            }
        }
        var jobs = new ArrayList<Job>();
        for (long number : topK.numbers()) {
            jobs.add(Objects.requireNonNull(table.job(number)));
        }
        return jobs;
    }

    /// Whether the entry is that of a job that waits there.
    private boolean stands(WaitClass one, long key, long number) {
        Job job = queueLinks.in(number) == one.slot ? table.job(number) : null;
        return job != null && key(job) == key;
    }

    /// How many classes have jobs.
    public int classes() {
        return waitClasses.occupied();
    }

    /// Lets the class rest until capacity is freed. A hopeless one is no candidate for a
    /// reservation.
    public void restUntilCapacity(WaitClass one, boolean isHopeless) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        resting++;
        one.rest = isHopeless ? WaitClass.Rest.HOPELESS : WaitClass.Rest.CAPACITY;
        byNeed.get(one.need).add(one);
        if (isHopeless) {
            hopeless.add(one);
        } else {
            turnOrder.put(Line.BLOCKED, one);
        }
    }

    /// Wakes a class that rests until capacity is freed at this time at the latest.
    public void atTheLatest(WaitClass one, Instant when) {
        if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
            one.restsUntil = Instants.micros(when);
            restUntil.add(one.restsUntil, one.slot);
        }
    }

    /// Lets the class rest until nodes join, leave or are described anew.
    public void restUntilFleetChanges(WaitClass one) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        resting++;
        one.rest = WaitClass.Rest.FLEET;
    }

    public void restUntilTenantChanges(WaitClass one, TenantId tenant) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        resting++;
        one.rest = WaitClass.Rest.TENANT;
        one.restsOn = tenant;
        byTenant.computeIfAbsent(tenant, id -> new LinkedHashSet<>()).add(one);
    }

    public void restUntil(WaitClass one, Instant when) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        resting++;
        one.rest = WaitClass.Rest.TIME;
        one.restsUntil = Instants.micros(when);
        restUntil.add(one.restsUntil, one.slot);
    }

    /// Wakes a resting class; one that is awake stays so.
    public void rouse(WaitClass one) {
        switch (one.rest) {
            case AWAKE -> {
                return;
            }
            case CAPACITY -> {
                byNeed.get(one.need).remove(one);
                turnOrder.remove(Line.BLOCKED, one);
            }
            case HOPELESS -> {
                byNeed.get(one.need).remove(one);
                hopeless.remove(one);
            }
            case TENANT -> byTenant.getOrDefault(one.restsOn, new LinkedHashSet<>()).remove(one);
            case TIME, FLEET -> {}
        }
        resting--;
        one.rest = WaitClass.Rest.AWAKE;
        turnOrder.put(Line.AWAKE, one);
    }

    /// Wakes classes that could use a node with `idle` idle GPUs, and those of a priority over
    /// `lowest` that could use one with `within` GPUs idle or held by preemptible jobs.
    void capacityGrew(int idle, int within, int lowest) {
        for (int need = 0; need <= idle; need++) {
            rouseAll(byNeed.get(need));
        }
        for (int need = idle + 1; need <= Math.min(within, Gpu.MOST_PER_NODE); need++) {
            for (WaitClass one : List.copyOf(byNeed.get(need))) {
                if (byOrder || one.key.priority() > lowest) {
                    rouse(one);
                }
            }
        }
    }

    /// Wakes classes that no end of other jobs would have helped: capacity has become usable that
    /// was not before, perhaps under a running job.
    void hopeAgain() {
        rouseAll(hopeless);
    }

    void tenantChanged(TenantId tenant) {
        Set<WaitClass> resting = byTenant.get(tenant);
        if (resting != null) {
            rouseAll(resting);
        }
    }

    void rouseEverything() {
        if (resting > 0) {
            waitClasses.all().forEach(this::rouse);
        }
    }

    /// Adds postponed jobs and wakes classes whose time has come.
    void timePassed(Instant now) {
        long micros = Instants.micros(now);
        passed = Math.max(passed, micros);
        while (!postponed.isEmpty() && postponed.firstKey() <= micros) {
            Job job = table.job(postponed.firstNumber());
            long due = postponed.firstKey();
            postponed.removeFirst();
            if (job != null && dueAt(job) == due) {
                enter(job);
            }
        }
        while (!restUntil.isEmpty() && restUntil.firstKey() <= micros) {
            WaitClass one = waitClasses.find((int) restUntil.firstNumber());
            long due = restUntil.firstKey();
            restUntil.removeFirst();
            if (one != null && one.rest != WaitClass.Rest.AWAKE && one.restsUntil == due) {
                rouse(one);
            }
        }
    }

    /// When something here is due next; null when nothing is.
    @Nullable Instant nextDue() {
        long due = Long.MAX_VALUE;
        due = postponed.isEmpty() ? due : Math.min(due, postponed.firstKey());
        due = restUntil.isEmpty() ? due : Math.min(due, restUntil.firstKey());
        return due == Long.MAX_VALUE ? null : Instants.ofMicros(due);
    }

    /// Adds a waiting job that may be tried from its `notBefore` on.
    void add(Job job) {
        long due = dueAt(job);
        if (due <= passed) {
            enter(job);
        } else {
            postponed.add(due, job.id().number());
        }
    }

    /// Removes the job from the queue, if it is there.
    void remove(Job job) {
        remove(job.id().number());
    }

    void remove(long number) {
        WaitClass one = standsIn(number);
        if (one == null) {
            return;
        }
        one.live--;
        if (one.head() != number) {
            queueLinks.leave(number);
            if (gone(one) > Math.max(MOST_GONE, 2 * one.live)) {
                one.keepOnly(other -> queueLinks.in(other) == one.slot);
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

    /// Most jobs that leave are the very first, whose class is known without a look-up.
    private @Nullable WaitClass standsIn(long number) {
        WaitClass first = turnOrder.areByTenant() ? null : first();
        if (first != null && first.head() == number) {
            return first;
        }
        int slot = queueLinks.in(number);
        return slot == QueueLinks.NOWHERE ? null : waitClasses.at(slot);
    }

    /// Takes the job out of the queue because others are being preempted for it, until [#endApart],
    /// whatever else happens to it.
    void setApart(Job job) {
        remove(job);
        apart.add(job.id().number());
    }

    /// Lets the job be in the queue again.
    void endApart(JobId job) {
        apart.remove(job.number());
    }

    /// Reorders everything by another order.
    ///
    /// @param byLength whether jobs that differ only in how long they may run may get different
    ///        answers
    void reorder(ToLongFunction<Job> next, boolean byLength, Iterable<Job> waiting) {
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
            rouse(one);
        }
        if (isFirst) {
            headChanged(one);
        }
    }

    /// The class has no jobs left.
    private void drop(WaitClass one) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        turnOrder.leave(one);
        one.clear();
        waitClasses.emptied();
    }

    /// Updates the order after the first job of the class changed.
    private void headChanged(WaitClass one) {
        if (one.rest == WaitClass.Rest.AWAKE) {
            turnOrder.put(Line.AWAKE, one);
        } else if (one.rest == WaitClass.Rest.CAPACITY) {
            turnOrder.put(Line.BLOCKED, one);
        }
    }

    private static int gone(WaitClass one) {
        return one.entries() - one.live;
    }

    /// Makes a really waiting job the first of the queue. Where no job has left, none is checked.
    private void forgetGone(WaitClass one) {
        while (gone(one) > 0 && queueLinks.in(one.firstNumber()) != one.slot) {
            one.removeFirst();
        }
    }

    private void rouseAll(Set<WaitClass> resting) {
        if (!resting.isEmpty()) {
            for (WaitClass one : List.copyOf(resting)) {
                rouse(one);
            }
        }
    }

    private static long dueAt(Job job) {
        return job.phase() instanceof Phase.Waiting waiting && waiting.notBefore() != null
                ? Instants.micros(waiting.notBefore())
                : Long.MIN_VALUE;
    }
}
