package io.gpusched.core.queue;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The queue of waiting jobs as a cycle uses it: which class of equal jobs takes the next turn,
/// which waits for capacity first, and until when a refused class rests.
///
/// No method here adds or removes a job: events do that. Resting and waking are not part of the
/// recorded state; they never change a decision, only how soon it is found.
public sealed interface JobQueue permits WaitQueue {
    /// The class to try next; null if all classes rest.
    @Nullable WaitClass first();

    /// The first class that waits for capacity; null if there is none.
    @Nullable WaitClass firstBlocked();

    /// Whether `one` is tried before `other` now: by the shares of their tenants under fair
    /// share, otherwise by the queue order.
    boolean goesBefore(Job one, Job other);

    /// Whether a job may use the capacity reserved for `holder`. Under fair share the turns of
    /// tenants change all the time and a reservation does not, unless its holder borrows while the
    /// tenant of `one` is below its guarantee.
    boolean mayOvertake(Job one, Job holder);

    /// From now on tenants take turns by their shares, or all jobs are in one order.
    void byTenant(boolean byTenant);

    /// From now on running jobs may be preempted for any job before them in the order, whatever
    /// their priority, or only for jobs of higher priority.
    void preemptByOrder(boolean wanted);

    /// From now on the reservation is for the oldest job, or for the first job of the queue.
    void byAge(boolean byAge);

    /// The class with the oldest head among those that wait for nothing but capacity; null when
    /// there is none, or age does not count.
    @Nullable WaitClass oldest();

    /// From now on a model ranks the heads of classes, and the reservation is for a job that has
    /// waited longest; or neither.
    void ranked(boolean ranked);

    /// The heads that a model ranks. Only where one does.
    RankedHeads rankedHeads();

    /// A cycle begins: shares are as of now.
    void begins(Instant now);

    /// A counter that rises whenever tenants may borrow more than before.
    long lending();

    /// The key by which a job is sorted; the smallest is first.
    long key(Job job);

    /// The first jobs in queue order, at most `most`, including jobs of resting classes. The turns
    /// of tenants do not count.
    List<Job> firstJobs(int most);

    /// How many classes have jobs.
    int classes();

    /// Puts the class to rest until capacity appears. A hopeless class does not get a reservation.
    void restUntilCapacity(WaitClass one, boolean isHopeless);

    /// Wakes a class that rests until capacity appears at this time at the latest. A later call
    /// replaces the time.
    void atTheLatest(WaitClass one, Instant when);

    /// Puts the class to rest until nodes join, leave or are described anew.
    void restUntilFleetChanges(WaitClass one);

    /// Puts the class to rest until the tenant holds less or its quota changes.
    void restUntilTenantChanges(WaitClass one, TenantId tenant);

    /// Puts the class to rest until this time.
    void restUntil(WaitClass one, Instant when);

    /// Wakes a resting class; has no effect on a class that is awake.
    void wake(WaitClass one);

    /// Whether `one` is before `other` in queue order.
    boolean precedes(Job one, Job other);
}
