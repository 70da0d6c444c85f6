package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Preempts jobs that come after the waiting job in an order, the last first, whatever their
/// priority. A job is not preempted if the waiting job does not need its capacity.
///
///     shortest remaining first, 2 GPUs: a (3 h left), b (1 h left); c arrives, with half an hour
///       a is preempted
public final class OrderPreemptor implements Preemptor {
    private record Candidate(Job job, long key) {}

    private static final Comparator<Candidate> LAST =
            Comparator.comparingLong(Candidate::key)
                    .thenComparing(candidate -> candidate.job.id())
                    .reversed();

    private final PreemptiveOrder order;

    public OrderPreemptor(PreemptiveOrder order) {
        this.order = order;
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        if (!PriorityPreemptor.mayPreempt(job, cluster)) {
            return List.of();
        }
        List<Candidate> candidates = later(job, cluster, victimTrial, now);
        var evicted = new ArrayList<Job>();
        boolean quick = victimTrial.isQuick();
        boolean fits = false;
        for (Candidate candidate : candidates) {
            victimTrial.evict(candidate.job);
            evicted.add(candidate.job);
            fits = quick && victimTrial.fits();
            if (fits) {
                break;
            }
        }
        if (!fits && (evicted.isEmpty() || quick || !victimTrial.fits())) {
            return List.of();
        }
        var needed = new ArrayList<Job>();
        PriorityPreemptor.spareUnneeded(evicted, victimTrial, needed);
        return needed;
    }

    @Override
    public long rank(Job job) {
        return -order.key(job);
    }

    private List<Candidate> later(
            Job job, ClusterView cluster, VictimTrial victimTrial, Instant now) {
        long key = order.key(job);
        var later = new ArrayList<Candidate>();
        for (Job other : cluster.runs().preemptible()) {
            long others = order.runningKey(other, now);
            if (others > key
                    && later(other, cluster, now) == PreemptionVerdict.LEAVES
                    && victimTrial.couldUse(other)) {
                later.add(new Candidate(other, others));
            }
        }
        later.sort(LAST);
        return later;
    }

    @Override
    public PreemptionVerdict stay(Job running, Job job, ClusterView cluster, Instant now) {
        if (order.runningKey(running, now) <= order.key(job)) {
            return PreemptionVerdict.NOT_BELOW;
        }
        return PriorityPreemptor.mayPreempt(job, cluster)
                ? later(running, cluster, now)
                : PriorityPreemptor.whyNot(job, cluster);
    }

    /// An order lets jobs take turns. A job that runs only once would not get another turn.
    private static PreemptionVerdict later(Job running, ClusterView cluster, Instant now) {
        if (!running.spec().onLoss().requeue()) {
            return PreemptionVerdict.NEVER_AGAIN;
        }
        PreemptionVerdict ever = PriorityPreemptor.ever(running, cluster);
        return ever == PreemptionVerdict.LEAVES && PriorityPreemptor.endsSoonAnyway(running, now)
                ? PreemptionVerdict.ENDS_SOON
                : ever;
    }

    @Override
    public String lesser() {
        return "after it by " + order.name();
    }
}
