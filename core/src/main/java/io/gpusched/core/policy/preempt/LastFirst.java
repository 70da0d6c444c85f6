package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.PreemptiveOrder;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.policy.Stay;
import io.gpusched.core.state.ClusterView;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Lets work leave that comes later in an order than the job, the last of it first, whatever its
/// priority. Nobody leaves whose place the job does not take.
///
///     shortest remaining first, 2 GPUs: a (3 h left), b (1 h left); c comes, with half an hour
///       a leaves
public final class LastFirst implements Preemptor {
    private record Candidate(Job job, long key) {}

    private static final Comparator<Candidate> LAST =
            Comparator.comparingLong(Candidate::key)
                    .thenComparing(candidate -> candidate.job.id())
                    .reversed();

    private final PreemptiveOrder order;

    public LastFirst(PreemptiveOrder order) {
        this.order = order;
    }

    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        if (!LowestFirst.mayPreempt(job, cluster)) {
            return List.of();
        }
        List<Candidate> candidates = later(job, cluster, room, now);
        var leaving = new ArrayList<Job>();
        boolean quick = room.isQuick();
        boolean fits = false;
        for (Candidate candidate : candidates) {
            room.evict(candidate.job);
            leaving.add(candidate.job);
            fits = quick && room.fits();
            if (fits) {
                break;
            }
        }
        if (!fits && (leaving.isEmpty() || quick || !room.fits())) {
            return List.of();
        }
        var needed = new ArrayList<Job>();
        LowestFirst.spareWhoCanStay(leaving, room, needed);
        return needed;
    }

    @Override
    public long rank(Job job) {
        return -order.key(job);
    }

    private List<Candidate> later(Job job, ClusterView cluster, Room room, Instant now) {
        long key = order.key(job);
        var later = new ArrayList<Candidate>();
        for (Job other : cluster.preemptible()) {
            long others = order.runningKey(other, now);
            if (others > key && later(other, cluster, now) == Stay.LEAVES && room.couldUse(other)) {
                later.add(new Candidate(other, others));
            }
        }
        later.sort(LAST);
        return later;
    }

    @Override
    public Stay stay(Job running, Job job, ClusterView cluster, Instant now) {
        if (order.runningKey(running, now) <= order.key(job)) {
            return Stay.NOT_BELOW;
        }
        return LowestFirst.mayPreempt(job, cluster)
                ? later(running, cluster, now)
                : Stay.MAY_NOT_PREEMPT;
    }

    private static Stay later(Job running, ClusterView cluster, Instant now) {
        Stay ever = LowestFirst.ever(running, cluster);
        return ever == Stay.LEAVES && LowestFirst.endsSoonAnyway(running, now)
                ? Stay.ENDS_SOON
                : ever;
    }

    @Override
    public String lesser() {
        return "after it by " + order.name();
    }
}
