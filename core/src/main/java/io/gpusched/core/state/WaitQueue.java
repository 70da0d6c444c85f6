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
import java.util.Collection;
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
/// the heads of classes, never at jobs. A class whose head was refused goes to rest until something
/// happens that could change the answer; resting classes cost nothing.
///
/// Jobs that left (cancelled, held, moved to another priority) stay in their class's line until
/// they come to the top or outnumber those that stand there; this keeps leaving cheap. What rests
/// and what is awake is not part of the recorded state: it never changes a decision, only how soon
/// the same decision is found.
public final class WaitQueue {
    /// How many entries of jobs that left may stay in a line, however short it is. Each may be the
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

    /// The resting classes that wake at a known time, each once, by that time.
    private final WinnerTree wakeTimes = new WinnerTree();

    private final KeyHeap postponed = new KeyHeap();
    private final Set<Long> apart = new LinkedHashSet<>();
    private long passed = Long.MIN_VALUE;
    private long lending;
    private boolean byOrder;

    /// How many classes rest.
    private int resting;

    /// A line of its own, of jobs of tenants that nobody knows.
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

    /// The class whose head waits for capacity and comes first; null when none does.
    public @Nullable WaitClass firstBlocked() {
        return turnOrder.first(Line.BLOCKED);
    }

    /// Whether `one` gets its turn before `other` as things stand: by their tenants' shares where
    /// these decide, by the line else.
    public boolean goesBefore(Job one, Job other) {
        int byTenant = turnOrder.compare(one, other);
        return byTenant == 0 ? standsBefore(one, other) : byTenant > 0;
    }

    /// Whether `one` comes before `other` in line.
    boolean standsBefore(Job one, Job other) {
        long its = key(one);
        long others = key(other);
        return its < others || (its == others && one.id().number() < other.id().number());
    }

    /// Whether a job may take what is kept for another that comes first and cannot start. Where
    /// tenants take turns, whose turn it is changes all the time; what was promised does not,
    /// unless to somebody who borrows while the other is below its guarantee.
    public boolean mayOvertake(Job one, Job holder) {
        if (turnOrder.areByAge()) {
            return one.id().compareTo(holder.id()) < 0;
        }
        return !isByTenant() || one.tenant().equals(holder.tenant())
                ? standsBefore(one, holder)
                : tree.mayOvertake(one.tenant(), holder.tenant());
    }

    /// From now on tenants take turns by their shares, or all jobs stand in one line.
    public void byTenant(boolean byTenant) {
        if (byTenant != isByTenant()) {
            turnOrder.by(byTenant ? tree : null);
        }
    }

    /// From now on running jobs may have to make way for any that come before them in line,
    /// whatever their priority, or only for more important ones.
    public void makeWayByOrder(boolean wanted) {
        byOrder = wanted;
    }

    /// From now on the oldest has the reservation, or the first in line.
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

    /// What the tenant holds has changed.
    void holdsChanged(TenantId tenant) {
        turnOrder.holdsChanged(tenant);
    }

    /// Tenants with waiting jobs in the order of their turns; none where tenants do not take turns.
    List<TenantId> inTurn(Instant now) {
        return turnOrder.inTurn(now);
    }

    /// Rises when more of what jobs hold may be borrowed than before.
    public long lending() {
        return lending;
    }

    /// More of what jobs hold may be borrowed than before.
    void lendingGrew() {
        lending++;
        rouseUnderGuarantee();
    }

    /// Wakes those who wait for capacity while their tenant is below its guarantee: they may take
    /// back now what others borrow.
    void rouseUnderGuarantee() {
        for (WaitClass one : turnOrder.underGuarantee()) {
            if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
                rouse(one);
            }
        }
    }

    /// The key by which a job stands in line.
    public long key(Job job) {
        return order.applyAsLong(job);
    }

    /// The first of all who stand in line, at most so many, whoever rests and whichever tenant's
    /// turn it is.
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

    /// Whether the entry is that of a job that stands there.
    private boolean stands(WaitClass one, long key, long number) {
        Job job = queueLinks.in(number) == one.slot ? table.job(number) : null;
        return job != null && key(job) == key;
    }

    /// How many classes have jobs.
    public int classes() {
        return waitClasses.occupied();
    }

    /// Puts the class to rest until capacity appears. A hopeless one is not in line for a
    /// reservation.
    public void restUntilCapacity(WaitClass one, boolean isHopeless) {
        rest(one, isHopeless ? WaitClass.Rest.HOPELESS : WaitClass.Rest.CAPACITY);
        byNeed.get(one.need).add(one);
        if (isHopeless) {
            hopeless.add(one);
        } else {
            turnOrder.put(Line.BLOCKED, one);
        }
    }

    private void rest(WaitClass one, WaitClass.Rest how) {
        rouse(one);
        turnOrder.remove(Line.AWAKE, one);
        resting++;
        one.rest = how;
    }

    /// Wakes a class that rests until capacity appears at this time at the latest. A later call
    /// replaces the time.
    public void atTheLatest(WaitClass one, Instant when) {
        if (one.rest == WaitClass.Rest.CAPACITY || one.rest == WaitClass.Rest.HOPELESS) {
            wakeAt(one, when);
        }
    }

    private void wakeAt(WaitClass one, Instant when) {
        one.restsUntil = Instants.micros(when);
        wakeTimes.put(one.slot, one.restsUntil, one.slot);
    }

    /// Puts the class to rest until nodes join, leave or are described anew.
    public void restUntilFleetChanges(WaitClass one) {
        rest(one, WaitClass.Rest.FLEET);
    }

    public void restUntilTenantChanges(WaitClass one, TenantId tenant) {
        rest(one, WaitClass.Rest.TENANT);
        one.restsOn = tenant;
        byTenant.computeIfAbsent(tenant, id -> new LinkedHashSet<>()).add(one);
    }

    public void restUntil(WaitClass one, Instant when) {
        rest(one, WaitClass.Rest.TIME);
        wakeAt(one, when);
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
        wakeTimes.remove(one.slot);
        one.rest = WaitClass.Rest.AWAKE;
        turnOrder.put(Line.AWAKE, one);
    }

    /// Wakes classes that could use a node with `idle` idle GPUs, and those of a priority over
    /// `lowest` that could use one with `within` GPUs idle or held by jobs that can be made to
    /// leave.
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

    /// Wakes classes that nobody's end would have helped: there is something now that was not
    /// usable before, perhaps below somebody who runs on it.
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

    /// Wakes classes whose answers may depend on the labels of nodes.
    void labelsChanged() {
        rouseAll(waitClasses.lookingAtLabels());
    }

    /// Brings in postponed jobs and wakes classes whose time has come.
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
        for (WaitClass one = nextToWake();
                one != null && one.restsUntil <= micros;
                one = nextToWake()) {
            rouse(one);
        }
    }

    private @Nullable WaitClass nextToWake() {
        int slot = wakeTimes.first();
        return slot < 0 ? null : waitClasses.at(slot);
    }

    /// When something here is due next; null when nothing is.
    @Nullable Instant nextDue() {
        long due = postponed.isEmpty() ? Long.MAX_VALUE : postponed.firstKey();
        WaitClass first = nextToWake();
        due = first == null ? due : Math.min(due, first.restsUntil);
        return due == Long.MAX_VALUE ? null : Instants.ofMicros(due);
    }

    /// A waiting job that may be tried from its `notBefore` on.
    void add(Job job) {
        long due = dueAt(job);
        if (due <= passed) {
            enter(job);
        } else {
            postponed.add(due, job.id().number());
        }
    }

    /// The job no longer stands in line, if it did.
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

    /// Most who leave are the very first, whose class is found without looking up where they stand.
    private @Nullable WaitClass standsIn(long number) {
        WaitClass first = turnOrder.areByTenant() ? null : first();
        if (first != null && first.head() == number) {
            return first;
        }
        int slot = queueLinks.in(number);
        return slot == QueueLinks.NOWHERE ? null : waitClasses.at(slot);
    }

    /// The job steps out of line because room is being made for it, and stays out until
    /// [#endApart], whatever else happens to it.
    void setApart(Job job) {
        remove(job);
        apart.add(job.id().number());
    }

    /// The job may stand in line again.
    void endApart(JobId job) {
        apart.remove(job.number());
    }

    /// Sorts everything anew by another order.
    ///
    /// @param byLength whether jobs that may run for different times may get different answers
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

    /// The first of the class's line is its head now.
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

    /// Makes the first of the line a job that really stands here. Where nobody has gone, none needs
    /// to be looked at.
    private void forgetGone(WaitClass one) {
        while (gone(one) > 0 && queueLinks.in(one.firstNumber()) != one.slot) {
            one.removeFirst();
        }
    }

    private void rouseAll(Collection<WaitClass> resting) {
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
