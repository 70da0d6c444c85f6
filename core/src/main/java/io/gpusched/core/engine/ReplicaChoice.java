package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Chooses the replicas that a smaller pool no longer needs: those that wait, then those that load
/// their model, then the dearest, then those with the fewest requests, and of equal ones the
/// youngest. Of those that wait, the late ones come first, and those for which others are being
/// preempted come last. As many of the chosen run on spot capacity as the smaller pool may no
/// longer have there.
///
/// In a pool with a port, replicas come before all others whose number is beyond `max`: the pool no
/// longer reserves their ports.
final class ReplicaChoice {
    private ReplicaChoice() {}

    /// @param order of two the lower one is chosen
    private record Candidate(ReplicaStatus status, int order, long cost, long requests) {}

    private static final int BEYOND = -1;
    private static final int LATE = 0;
    private static final int WAITS = 1;
    private static final int HAS_ROOM = 2;
    private static final int PLACED = 3;

    static List<ReplicaStatus> toRemove(
            PoolEntry entry, int count, ClusterState state, Instant now) {
        List<ReplicaStatus> ordered = inOrder(entry, entry.replicas(), state, now);
        var spot = new ArrayList<ReplicaStatus>();
        for (ReplicaStatus status : ordered) {
            Job job = state.job(status.job());
            if (job != null && ReplicaSpecs.isOnSpot(job.spec())) {
                spot.add(status);
            }
        }
        long most = (long) entry.desired() * entry.pool().cost().spotPercent() / 100;
        long tooMany = Math.min(count, spot.size() - most);
        var chosen = new ArrayList<ReplicaStatus>();
        for (ReplicaStatus status : ordered) {
            boolean leavesSpot = spot.contains(status);
            if (chosen.size() < count && (leavesSpot || chosen.size() + tooMany < count)) {
                chosen.add(status);
                tooMany -= leavesSpot && tooMany > 0 ? 1 : 0;
            }
        }
        return chosen;
    }

    /// These replicas of the pool, without those that drain already.
    static List<ReplicaStatus> inOrder(
            PoolEntry entry, List<ReplicaStatus> replicas, ClusterState state, Instant now) {
        Instant oldest = now.minus(entry.pool().scaling().staleAfter());
        Map<JobId, ReplicaLoad> load = entry.load().replicasSince(oldest);
        var waits = new LateReplicas(state, now);
        var prices = new PoolCost(state);
        List<JobId> late = waits.of(entry);
        var candidates = new ArrayList<Candidate>();
        for (ReplicaStatus status : replicas) {
            Job job = state.job(status.job());
            if (job != null && status.state(job) != ReplicaStatus.State.DRAINING) {
                ReplicaLoad seen = load.get(status.job());
                long requests = seen == null ? 0 : (long) seen.running() + seen.waiting();
                int order = PLACED + status.state(job).ordinal();
                if (isBeyond(entry, status)) {
                    order = BEYOND;
                } else if (status.state(job) == ReplicaStatus.State.WAITING) {
                    order = waits.hasRoom(job.id()) ? HAS_ROOM : WAITS;
                    order = late.contains(job.id()) ? LATE : order;
                }
                candidates.add(new Candidate(status, order, prices.of(status), requests));
            }
        }
        candidates.sort(
                Comparator.comparingInt(Candidate::order)
                        .thenComparing(Comparator.comparingLong(Candidate::cost).reversed())
                        .thenComparingLong(Candidate::requests)
                        .thenComparing(
                                Comparator.comparing((Candidate one) -> one.status.job())
                                        .reversed()));
        return candidates.stream().map(Candidate::status).toList();
    }

    private static boolean isBeyond(PoolEntry entry, ReplicaStatus status) {
        return entry.pool().serving().port() > 0 && status.number() >= entry.pool().max();
    }
}
