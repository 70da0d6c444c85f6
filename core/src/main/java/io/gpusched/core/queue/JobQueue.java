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
    /// The class whose head is next, among those awake; null when all rest.
    @Nullable WaitClass first();

    /// The class whose head waits for capacity and comes first; null when none does.
    @Nullable WaitClass firstBlocked();

    /// Whether `one` gets its turn before `other` as things stand: by their tenants' shares where
    /// these decide, by the line else.
    boolean goesBefore(Job one, Job other);

    /// Whether a job may take what is kept for another that comes first and cannot start. Where
    /// tenants take turns, whose turn it is changes all the time; what was promised does not,
    /// unless to somebody who borrows while the other is below its guarantee.
    boolean mayOvertake(Job one, Job holder);

    /// From now on tenants take turns by their shares, or all jobs stand in one line.
    void byTenant(boolean byTenant);

    /// From now on running jobs may have to make way for any that come before them in line,
    /// whatever their priority, or only for more important ones.
    void makeWayByOrder(boolean wanted);

    /// From now on the oldest has the reservation, or the first in line.
    void byAge(boolean byAge);

    /// The class with the oldest head among those that wait for nothing but capacity; null when
    /// there is none, or age does not count.
    @Nullable WaitClass oldest();

    /// A cycle begins: shares are as of now.
    void begins(Instant now);

    /// Rises when more of what jobs hold may be borrowed than before.
    long lending();

    /// The key by which a job stands in line.
    long key(Job job);

    /// The first of all who stand in line, at most so many, whoever rests and whichever tenant's
    /// turn it is.
    List<Job> firstInLine(int most);

    /// How many classes have jobs.
    int classes();

    /// Puts the class to rest until capacity appears. A hopeless one is not in line for a
    /// reservation.
    void restUntilCapacity(WaitClass one, boolean isHopeless);

    /// Wakes a class that rests until capacity appears at this time at the latest.
    void atTheLatest(WaitClass one, Instant when);

    /// Puts the class to rest until nodes join, leave or are described anew.
    void restUntilFleetChanges(WaitClass one);

    void restUntilTenantChanges(WaitClass one, TenantId tenant);

    void restUntil(WaitClass one, Instant when);

    /// Wakes a resting class; one that is awake stays so.
    void rouse(WaitClass one);

    /// Whether `one` comes before `other` in line.
    boolean standsBefore(Job one, Job other);
}
