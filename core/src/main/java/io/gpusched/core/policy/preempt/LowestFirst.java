package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.state.ClusterView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Lets the least important work leave: lowest priority first and, among equals, the work that
/// loses the fewest GPU-seconds.
///
/// First it pretends that more and more jobs left, in that order, until the job fits; then it takes
/// back every departure that turns out not to be needed, the most precious first. What remains is a
/// set from which nobody can be spared. Nobody leaves when the job would not fit even so.
///
/// Why no two jobs can push each other out in turn: a victim is always strictly below the job it
/// makes room for by base priority, which waiting does not raise, so along any chain of preemptions
/// priority strictly falls.
public final class LowestFirst implements Preemptor {
    /// At most this many jobs are considered, the least important first: a bound on work, not on
    /// time.
    private static final int MOST_CONSIDERED = 512;

    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        Tenant tenant = cluster.tenant(job.tenant());
        if (tenant == null || !tenant.rules().mayPreempt()) {
            return List.of();
        }
        List<Job> leaving = evictUntilItFits(candidates(job, cluster, now), room);
        if (leaving == null) {
            return List.of();
        }
        return spareWhoCanStay(leaving, room);
    }

    private static List<Job> candidates(Job job, ClusterView cluster, Instant now) {
        var candidates = new ArrayList<Job>();
        for (Job other : cluster.preemptible()) {
            if (other.priority() >= job.priority() || candidates.size() == MOST_CONSIDERED) {
                break;
            }
            if (mayLeave(other, cluster)) {
                candidates.add(other);
            }
        }
        candidates.sort(
                Comparator.comparingInt(Job::priority)
                        .thenComparingLong(other -> lostMilliGpuSeconds(other, now))
                        .thenComparing(Job::id, Comparator.reverseOrder()));
        return candidates;
    }

    private static boolean mayLeave(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenant(job.tenant());
        if (tenant == null || !tenant.rules().mayBePreempted() || !job.spec().onLoss().requeue()) {
            return false;
        }
        int most = tenant.rules().mostPerJob();
        return !(job.phase() instanceof Phase.Stopping) && (most == 0 || job.evictions() < most);
    }

    private static @Nullable List<Job> evictUntilItFits(List<Job> candidates, Room room) {
        for (int n = 0; n < candidates.size(); n++) {
            room.evict(candidates.get(n));
            boolean lastOfItsPriority =
                    n + 1 == candidates.size()
                            || candidates.get(n + 1).priority() != candidates.get(n).priority();
            if (lastOfItsPriority && room.fits()) {
                return candidates.subList(0, n + 1);
            }
        }
        return null;
    }

    private static List<Job> spareWhoCanStay(List<Job> leaving, Room room) {
        var needed = new ArrayList<Job>();
        for (Job precious : leaving.reversed()) {
            room.restore(precious);
            if (!room.fits()) {
                room.evict(precious);
                needed.addFirst(precious);
            }
        }
        return needed;
    }

    /// The work that would be done again, in milli-GPUs times seconds. A job that saves its work
    /// loses next to nothing.
    static long lostMilliGpuSeconds(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        if (started == null || job.spec().onLoss().checkpoints()) {
            return 0;
        }
        return job.spec().milliGpus() * Duration.between(started, now).toSeconds();
    }
}
