package io.gpusched.core.policy.preempt;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Room;
import io.gpusched.core.state.ClusterView;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Lets the least important work leave: lowest priority first and, among equals, the work that
/// loses the fewest GPU-seconds.
///
/// First it pretends that everybody who may be made to leave, and whose place the job could use,
/// has left: if the job does not fit even so, nobody leaves. Otherwise as few priorities as
/// possible leave, from the lowest up, and then every departure that turns out not to be needed is
/// taken back, the most precious first. What remains is a set from which nobody can be spared.
///
/// More departures never make a job fit worse. Therefore the number of priorities is found by
/// halving, and departures are taken back many at a time, with a few searches for a place for each
/// job that leaves instead of one for each that might have.
///
/// Why no two jobs can push each other out in turn: a victim is always strictly below the job it
/// makes room for by base priority, which waiting does not raise, so along any chain of preemptions
/// priority strictly falls.
public final class LowestFirst implements Preemptor {
    @Override
    public List<Job> victims(Job job, ClusterView cluster, Room room, Instant now) {
        Tenant tenant = cluster.tenant(job.tenant());
        if (tenant == null || !tenant.rules().mayPreempt()) {
            return List.of();
        }
        List<Job> candidates = candidates(job, cluster, room, now);
        candidates.forEach(room::evict);
        if (candidates.isEmpty() || !room.fits()) {
            return List.of();
        }
        int enough = fewestPriorities(candidates, room);
        var needed = new ArrayList<Job>();
        spareWhoCanStay(candidates.subList(0, enough), room, needed);
        return needed;
    }

    private static List<Job> candidates(Job job, ClusterView cluster, Room room, Instant now) {
        var candidates = new ArrayList<Job>();
        for (Job other : cluster.preemptible()) {
            if (other.priority() >= job.priority()) {
                break;
            }
            if (mayLeave(other, cluster) && room.couldUse(other)) {
                candidates.add(other);
            }
        }
        candidates.sort(
                Comparator.comparingInt(Job::priority)
                        .thenComparingLong(other -> lostMilliGpuSeconds(other, now))
                        .thenComparing(Job::id, Comparator.reverseOrder()));
        return candidates;
    }

    /// Whether the job may be stopped for others at all, whatever its priority.
    public static boolean mayLeave(Job job, ClusterView cluster) {
        Tenant tenant = cluster.tenant(job.tenant());
        if (tenant == null || !tenant.rules().mayBePreempted() || !job.spec().onLoss().requeue()) {
            return false;
        }
        int most = tenant.rules().mostPerJob();
        return !(job.phase() instanceof Phase.Stopping) && (most == 0 || job.evictions() < most);
    }

    /// How many of the candidates have to leave if all of one priority leave together. All have
    /// left when this begins, and that many when it ends.
    private static int fewestPriorities(List<Job> candidates, Room room) {
        List<Integer> ends = ends(candidates);
        int tooFew = -1;
        int enough = ends.size() - 1;
        while (enough - tooFew > 1) {
            int middle = (tooFew + enough) >>> 1;
            List<Job> rest = candidates.subList(ends.get(middle), ends.get(enough));
            rest.forEach(room::restore);
            if (room.fits()) {
                enough = middle;
            } else {
                rest.forEach(room::evict);
                tooFew = middle;
            }
        }
        return ends.get(enough);
    }

    /// Where each priority ends among the candidates.
    private static List<Integer> ends(List<Job> candidates) {
        var ends = new ArrayList<Integer>();
        for (int n = 1; n <= candidates.size(); n++) {
            if (n == candidates.size()
                    || candidates.get(n).priority() != candidates.get(n - 1).priority()) {
                ends.add(n);
            }
        }
        return ends;
    }

    /// Takes departures back, the last first, and puts those that are needed into `needed`.
    private static void spareWhoCanStay(List<Job> leaving, Room room, List<Job> needed) {
        leaving.forEach(room::restore);
        if (room.fits()) {
            return;
        }
        leaving.forEach(room::evict);
        if (leaving.size() == 1) {
            needed.addFirst(leaving.getFirst());
            return;
        }
        int middle = leaving.size() / 2;
        spareWhoCanStay(leaving.subList(middle, leaving.size()), room, needed);
        spareWhoCanStay(leaving.subList(0, middle), room, needed);
    }

    /// The work that would be done again, in milli-GPUs times seconds. A job that saves its work
    /// loses next to nothing.
    public static long lostMilliGpuSeconds(Job job, Instant now) {
        Instant started = job.phase().startedAt();
        if (started == null || job.spec().onLoss().checkpoints()) {
            return 0;
        }
        return job.spec().milliGpus() * Duration.between(started, now).toSeconds();
    }
}
