package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// Preempts the least important jobs: lowest priority first and, among equals, warm replicas, which
/// serve nobody, and then the jobs that lose the fewest GPU-seconds ([LostWork]).
///
/// Jobs are evicted on trial one after the other, in this order, until the job fits; if it does not
/// fit even when all are evicted, there are no victims. Then every eviction that turns out not to
/// be needed is undone, the most important first. What remains is a minimal set of victims, whose
/// highest priority is as low as possible.
///
/// More evictions never make a job fit worse. Where checking the fit is a search and not a
/// comparison, all jobs of one priority are evicted at once, and evictions are undone many at a
/// time: the result is the same set, with a few searches for each victim instead of one for each
/// candidate.
///
/// Its waiting time protects a run for a while: the run counts with the age it had when it was
/// placed. That bonus decreases from then on, to nothing after as long as the job waited, or half
/// an hour if that is shorter. So a job that went first because it had waited longest is not
/// preempted at once for a job that it overtook, and no job is protected for long. Protection
/// changes at full minutes, so that few jobs are tried again for that reason.
///
///     10 points a minute: priority 10, waited 30 minutes, started 10 minutes ago counts as 210
///
/// Why no two jobs can preempt each other in turn: a victim is always strictly below the job it is
/// preempted for by base priority, which waiting does not raise, so along any chain of preemptions
/// priority strictly falls.
public final class PriorityPreemptor implements Preemptor {
    /// @param loss the work it would lose, in milli-GPUs times seconds
    private record Candidate(Job job, long loss) {}

    private static final Comparator<Candidate> CHEAPEST =
            Comparator.comparingLong(Candidate::loss)
                    .thenComparing(candidate -> candidate.job.id(), Comparator.reverseOrder());

    private static final long MINUTE = 60_000_000;

    /// The age of a preempted job counts from its submission: without this bound, a job that ran
    /// for days and was preempted once could not be preempted again for days.
    private static final long LONGEST = 30 * MINUTE;

    private final LostWork lost;
    private final long microsPerPoint;
    private final boolean agesHeld;
    private final boolean ofOneTenant;

    /// Preempts jobs of any tenant that allows it.
    ///
    /// @param pointEvery the waiting time that is worth one point of priority; zero where waiting
    ///        is worth none
    /// @param agesHeld whether time in which a job was held counts as waiting
    public PriorityPreemptor(LostWork lost, Duration pointEvery, boolean agesHeld) {
        this(lost, pointEvery.toNanos() / 1000, agesHeld, false);
    }

    private PriorityPreemptor(
            LostWork lost, long microsPerPoint, boolean agesHeld, boolean ofOneTenant) {
        this.lost = lost;
        this.microsPerPoint = microsPerPoint;
        this.agesHeld = agesHeld;
        this.ofOneTenant = ofOneTenant;
    }

    /// The same rule restricted to victims of the same tenant.
    PriorityPreemptor ofOneTenant() {
        return new PriorityPreemptor(lost, microsPerPoint, agesHeld, true);
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        if (!mayPreempt(job, cluster)) {
            return List.of();
        }
        var evicted = new ArrayList<Job>();
        var equals = new ArrayList<Candidate>();
        boolean fits = false;
        for (Job other : cluster.runs().preemptible()) {
            boolean below = other.priority() < job.priority();
            if (!equals.isEmpty()
                    && (!below || equals.getFirst().job.priority() != other.priority())) {
                fits = evict(equals, victimTrial, evicted);
                equals.clear();
            }
            if (fits || !below) {
                break;
            }
            if (belowIt(other, job, cluster, now) == PreemptionVerdict.LEAVES
                    && victimTrial.couldUse(other)) {
                long loss = cluster.pools().isWarm(other) ? -1 : lost.milliGpuSeconds(other, now);
                equals.add(new Candidate(other, loss));
            }
        }
        if (!fits && !evict(equals, victimTrial, evicted)) {
            return List.of();
        }
        var needed = new ArrayList<Job>();
        spareUnneeded(evicted, victimTrial, needed);
        return needed;
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        if (running.priority() >= job.priority()) {
            return PreemptionVerdict.NOT_BELOW;
        }
        return mayPreempt(job, cluster)
                ? belowIt(running, job, cluster, now)
                : whyNot(job, cluster);
    }

    /// Why no job is preempted for this one.
    static PreemptionVerdict whyNot(Job job, ClusterView cluster) {
        return cluster.pools().wouldBeWarm(job, cluster.claims())
                ? PreemptionVerdict.ONLY_WARM
                : PreemptionVerdict.MAY_NOT_PREEMPT;
    }

    private PreemptionVerdict belowIt(Job running, Job job, ClusterView cluster, Instant now) {
        if (ofOneTenant && !running.tenant().equals(job.tenant())) {
            return PreemptionVerdict.OTHER_TENANT;
        }
        PreemptionVerdict ever = ever(running, cluster);
        if (ever != PreemptionVerdict.LEAVES) {
            return ever;
        }
        if (leavesFor(running, now) > job.priority()) {
            return PreemptionVerdict.EARNED;
        }
        return endsSoonAnyway(running, now)
                ? PreemptionVerdict.ENDS_SOON
                : PreemptionVerdict.LEAVES;
    }

    /// Whether other jobs may be preempted for the job at all.
    static boolean mayPreempt(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenants().find(job.tenant());
        return tenant != null
                && tenant.rules().mayPreempt()
                && !cluster.pools().wouldBeWarm(job, cluster.claims());
    }

    @Override
    public long leavesFor(Job running, Instant now) {
        if (microsPerPoint == 0) {
            return running.priority() + 1L;
        }
        return leavesFor(running, Math.floorDiv(Instants.micros(now), MINUTE) * MINUTE);
    }

    private long leavesFor(Job running, long minute) {
        long placed = Instants.micros(Objects.requireNonNull(running.phase().run()).placed());
        long unaged = agesHeld ? 0 : running.unaged().toNanos() / 1000;
        long earned = placed - Instants.micros(running.submitted()) - unaged;
        long fades = Math.min(earned, LONGEST);
        if (fades <= 0) {
            return running.priority() + 1L;
        }
        long left = Math.clamp(placed + fades - minute, 0, fades);
        long worth = earned / fades * left + earned % fades * left / fades;
        return running.priority() + worth / microsPerPoint + 1;
    }

    @Override
    public @Nullable Instant nextToLeave(int priority, ClusterView cluster, Instant now) {
        if (microsPerPoint == 0) {
            return null;
        }
        long first = nextMinute(now);
        long never = first + LONGEST + MINUTE;
        long next = never;
        // A run is protected for LONGEST at most, so runs placed earlier need not be asked.
        Instant protectedSince = Instants.ofMicros(first - MINUTE - LONGEST);
        for (Job other : cluster.runs().preemptiblePlacedAfter(protectedSince)) {
            if (other.priority() < priority && leavesFor(other, now) > priority) {
                next = firstMinute(other, priority, first, next);
            }
        }
        return next == never ? null : Instants.ofMicros(next);
    }

    @Override
    public @Nullable Instant leavesAt(Job running, Job job, Instant now) {
        long first = nextMinute(now);
        long never = first + LONGEST + MINUTE;
        long minute = firstMinute(running, job.priority(), first, never);
        return minute == never ? null : Instants.ofMicros(minute);
    }

    private static long nextMinute(Instant now) {
        return (Math.floorDiv(Instants.micros(now), MINUTE) + 1) * MINUTE;
    }

    /// The first minute in which it may be preempted for this priority; `end` when not before that.
    private long firstMinute(Job running, int priority, long first, long end) {
        for (long minute = first; minute < end; minute += MINUTE) {
            if (leavesFor(running, minute) <= priority) {
                return minute;
            }
        }
        return end;
    }

    /// Whether the job may be preempted at all, whatever its priority.
    public static boolean mayLeave(Job job, ClusterView cluster) {
        return ever(job, cluster) == PreemptionVerdict.LEAVES;
    }

    /// Whether the job may be preempted for any job, whatever its priority.
    static PreemptionVerdict ever(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenants().find(job.tenant());
        return tenant != null && tenant.rules().mayBePreempted()
                ? again(job, tenant)
                : PreemptionVerdict.FORBIDDEN;
    }

    /// Whether the job is expected to end by itself before preempting it would have freed anything.
    /// An overdue job may run for long.
    public static boolean endsSoonAnyway(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        if (started == null || !job.spec().runtimeExpectation().isKnown()) {
            return false;
        }
        Instant end = started.plus(job.spec().planned(Duration.ZERO));
        return end.isAfter(now) && !end.isAfter(now.plus(job.spec().onLoss().grace()));
    }

    /// Whether the job can be stopped and has not been preempted too often.
    static PreemptionVerdict again(Job job, Tenant tenant) {
        int most = tenant.rules().mostPerJob();
        if (job.phase() instanceof Phase.Stopping) {
            return PreemptionVerdict.STOPPING;
        }
        return most == 0 || job.evictions() < most || job.spec().isReplica()
                ? PreemptionVerdict.LEAVES
                : PreemptionVerdict.STOPPED_OFTEN;
    }

    /// Evicts jobs of one priority until the job fits, and returns whether it does.
    private static boolean evict(
            List<Candidate> equals, VictimTrial victimTrial, List<Job> evicted) {
        equals.sort(CHEAPEST);
        boolean quick = victimTrial.isQuick();
        for (Candidate candidate : equals) {
            victimTrial.evict(candidate.job);
            evicted.add(candidate.job);
            if (quick && victimTrial.fits()) {
                return true;
            }
        }
        return !equals.isEmpty() && !quick && victimTrial.fits();
    }

    /// Undoes evictions, the last first, and puts those that are needed into `needed`.
    static void spareUnneeded(List<Job> evicted, VictimTrial victimTrial, List<Job> needed) {
        if (!victimTrial.isQuick()) {
            spareManyAtOnce(evicted, victimTrial, needed);
            return;
        }
        for (Job job : evicted.reversed()) {
            if (victimTrial.misses(job)) {
                victimTrial.restore(job);
                if (!victimTrial.fits()) {
                    victimTrial.evict(job);
                    needed.add(job);
                }
            }
        }
        Collections.reverse(needed);
    }

    /// The same, with few searches.
    private static void spareManyAtOnce(
            List<Job> evicted, VictimTrial victimTrial, List<Job> needed) {
        evicted.forEach(victimTrial::restore);
        if (victimTrial.fits()) {
            return;
        }
        evicted.forEach(victimTrial::evict);
        if (evicted.size() == 1) {
            needed.addFirst(evicted.getFirst());
            return;
        }
        int middle = evicted.size() / 2;
        spareManyAtOnce(evicted.subList(middle, evicted.size()), victimTrial, needed);
        spareManyAtOnce(evicted.subList(0, middle), victimTrial, needed);
    }
}
