package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;
import io.gpusched.core.state.Instants;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// Lets the least important work leave: lowest priority first and, among equals, the work that
/// loses the fewest GPU-seconds ([LostWork]).
///
/// Jobs leave one after the other, in this order, until the job fits; where it does not fit even
/// when all have left, nobody leaves. Then every departure that turns out not to be needed is taken
/// back, the most precious first. What remains is a set from which nobody can be spared, and whose
/// highest priority is as low as possible.
///
/// More departures never make a job fit worse. Where asking whether it fits is a search and not a
/// comparison, all of one priority leave at once, and departures are taken back many at a time:
/// the same set comes of it, with a few searches for each job that leaves instead of one for each
/// that might have.
///
/// What a run earned by waiting protects it for a while: it counts with the age it had when it got
/// its places, which is worth less and less from then on: nothing after as long as it waited, or
/// half an hour if that is shorter. So whoever went first because it had waited longest is not
/// stopped in the same moment for somebody it went before, and nobody is protected for long.
/// Protection ends at full minutes, so that few look again for that reason.
///
///     10 points a minute: priority 10, waited 30 minutes, started 10 minutes ago counts as 210
///
/// Why no two jobs can push each other out in turn: a victim is always strictly below the job it
/// makes room for by base priority, which waiting does not raise, so along any chain of preemptions
/// priority strictly falls.
public final class PriorityPreemptor implements Preemptor {
    /// @param loss what it would lose, in milli-GPUs times seconds
    private record Candidate(Job job, long loss) {}

    private static final Comparator<Candidate> CHEAPEST =
            Comparator.comparingLong(Candidate::loss)
                    .thenComparing(candidate -> candidate.job.id(), Comparator.reverseOrder());

    private static final long MINUTE = 60_000_000;

    /// The age of a job that was stopped counts from its submission: without this, one that ran for
    /// days and was stopped once could not be stopped again for days.
    private static final long LONGEST = 30 * MINUTE;

    private final LostWork lost;
    private final long microsPerPoint;
    private final boolean agesHeld;
    private final boolean ofOneTenant;

    /// Lets jobs of any tenant leave that allows it.
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

    /// The same rule that lets only jobs of the same tenant leave.
    PriorityPreemptor ofOneTenant() {
        return new PriorityPreemptor(lost, microsPerPoint, agesHeld, true);
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        if (!mayPreempt(job, cluster)) {
            return List.of();
        }
        var leaving = new ArrayList<Job>();
        var equals = new ArrayList<Candidate>();
        boolean fits = false;
        for (Job other : cluster.preemptible()) {
            boolean below = other.priority() < job.priority();
            if (!equals.isEmpty()
                    && (!below || equals.getFirst().job.priority() != other.priority())) {
                fits = leave(equals, victimTrial, leaving);
                equals.clear();
            }
            if (fits || !below) {
                break;
            }
            if (belowIt(other, job, cluster, now) == PreemptionVerdict.LEAVES
                    && victimTrial.couldUse(other)) {
                equals.add(new Candidate(other, lost.milliGpuSeconds(other, now)));
            }
        }
        if (!fits && !leave(equals, victimTrial, leaving)) {
            return List.of();
        }
        var needed = new ArrayList<Job>();
        spareWhoCanStay(leaving, victimTrial, needed);
        return needed;
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        if (running.priority() >= job.priority()) {
            return PreemptionVerdict.NOT_BELOW;
        }
        return mayPreempt(job, cluster)
                ? belowIt(running, job, cluster, now)
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

    /// Whether others may be stopped for the job at all.
    static boolean mayPreempt(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenant(job.tenant());
        return tenant != null && tenant.rules().mayPreempt();
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
        // What a run earned protects it for so long at most, so older runs need not be asked.
        Instant protectedSince = Instants.ofMicros(first - MINUTE - LONGEST);
        for (Job other : cluster.preemptiblePlacedAfter(protectedSince)) {
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

    /// The first minute in which it leaves for this priority; `end` when it does not before that.
    private long firstMinute(Job running, int priority, long first, long end) {
        for (long minute = first; minute < end; minute += MINUTE) {
            if (leavesFor(running, minute) <= priority) {
                return minute;
            }
        }
        return end;
    }

    /// Whether the job may be stopped for others at all, whatever its priority.
    public static boolean mayLeave(Job job, ClusterView cluster) {
        return ever(job, cluster) == PreemptionVerdict.LEAVES;
    }

    /// Whether the job leaves for anybody, whatever its priority.
    static PreemptionVerdict ever(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenant(job.tenant());
        return tenant != null && tenant.rules().mayBePreempted()
                ? again(job, tenant)
                : PreemptionVerdict.FORBIDDEN;
    }

    /// Whether the job is thought to end by itself before stopping it would have freed anything.
    /// One that should have ended already may go on for long.
    public static boolean endsSoonAnyway(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        if (started == null || !job.spec().runtimeExpectation().isKnown()) {
            return false;
        }
        Instant end = started.plus(job.spec().planned(Duration.ZERO));
        return end.isAfter(now) && !end.isAfter(now.plus(job.spec().onLoss().grace()));
    }

    /// Whether the job can be stopped, will start again, and has not been stopped too often.
    static PreemptionVerdict again(Job job, Tenant tenant) {
        int most = tenant.rules().mostPerJob();
        if (job.phase() instanceof Phase.Stopping) {
            return PreemptionVerdict.STOPPING;
        }
        if (!job.spec().onLoss().requeue()) {
            return PreemptionVerdict.NEVER_AGAIN;
        }
        return most == 0 || job.evictions() < most
                ? PreemptionVerdict.LEAVES
                : PreemptionVerdict.STOPPED_OFTEN;
    }

    /// Lets jobs of one priority leave until the job fits, and says whether it does.
    private static boolean leave(
            List<Candidate> equals, VictimTrial victimTrial, List<Job> leaving) {
        equals.sort(CHEAPEST);
        boolean quick = victimTrial.isQuick();
        for (Candidate candidate : equals) {
            victimTrial.evict(candidate.job);
            leaving.add(candidate.job);
            if (quick && victimTrial.fits()) {
                return true;
            }
        }
        return !equals.isEmpty() && !quick && victimTrial.fits();
    }

    /// Takes departures back, the last first, and puts those that are needed into `needed`.
    static void spareWhoCanStay(List<Job> leaving, VictimTrial victimTrial, List<Job> needed) {
        if (!victimTrial.isQuick()) {
            spareManyAtOnce(leaving, victimTrial, needed);
            return;
        }
        for (Job job : leaving.reversed()) {
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

    /// The same, with few questions.
    private static void spareManyAtOnce(
            List<Job> leaving, VictimTrial victimTrial, List<Job> needed) {
        leaving.forEach(victimTrial::restore);
        if (victimTrial.fits()) {
            return;
        }
        leaving.forEach(victimTrial::evict);
        if (leaving.size() == 1) {
            needed.addFirst(leaving.getFirst());
            return;
        }
        int middle = leaving.size() / 2;
        spareManyAtOnce(leaving.subList(middle, leaving.size()), victimTrial, needed);
        spareManyAtOnce(leaving.subList(0, middle), victimTrial, needed);
    }
}
