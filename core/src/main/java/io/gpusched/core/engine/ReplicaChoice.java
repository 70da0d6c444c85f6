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
/// their model, then those with the fewest requests, and of equal ones the youngest.
final class ReplicaChoice {
    private ReplicaChoice() {}

    private record Candidate(ReplicaStatus status, int state, long requests) {}

    static List<ReplicaStatus> toRemove(
            PoolEntry entry, int count, ClusterState state, Instant now) {
        return inOrder(entry, entry.replicas(), state, now).stream().limit(count).toList();
    }

    /// These replicas of the pool, without those that drain already.
    static List<ReplicaStatus> inOrder(
            PoolEntry entry, List<ReplicaStatus> replicas, ClusterState state, Instant now) {
        Instant oldest = now.minus(entry.pool().scaling().staleAfter());
        Map<JobId, ReplicaLoad> load = entry.load().replicasSince(oldest);
        var candidates = new ArrayList<Candidate>();
        for (ReplicaStatus status : replicas) {
            Job job = state.job(status.job());
            if (job != null && status.state(job) != ReplicaStatus.State.DRAINING) {
                ReplicaLoad seen = load.get(status.job());
                long requests = seen == null ? 0 : (long) seen.running() + seen.waiting();
                candidates.add(new Candidate(status, status.state(job).ordinal(), requests));
            }
        }
        candidates.sort(
                Comparator.comparingInt(Candidate::state)
                        .thenComparingLong(Candidate::requests)
                        .thenComparing(
                                Comparator.comparing((Candidate one) -> one.status.job())
                                        .reversed()));
        return candidates.stream().map(Candidate::status).toList();
    }
}
