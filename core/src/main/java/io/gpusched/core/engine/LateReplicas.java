package io.gpusched.core.engine;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Finds the replicas of a pool that have found no capacity for too long. The time begins when the
/// scheduler may try a replica: one that was lost waits for its backoff first. Replicas for which
/// others are being preempted are not late.
final class LateReplicas {
    /// Replicas that find no capacity for so long are withdrawn.
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ClusterState state;
    private final Instant now;

    LateReplicas(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    List<JobId> of(PoolEntry entry) {
        var late = new ArrayList<JobId>();
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            if (job != null
                    && status.state(job) == ReplicaStatus.State.WAITING
                    && job.phase() instanceof Phase.Waiting waiting
                    && !triedFrom(waiting).plus(PATIENCE).isAfter(now)
                    && !hasRoom(job.id())) {
                late.add(job.id());
            }
        }
        return late;
    }

    private static Instant triedFrom(Phase.Waiting waiting) {
        Instant notBefore = waiting.notBefore();
        return notBefore != null && notBefore.isAfter(waiting.since())
                ? notBefore
                : waiting.since();
    }

    /// Whether preemption frees capacity for the job.
    boolean hasRoom(JobId job) {
        return state.claims().stream()
                .anyMatch(claim -> claim.kind() == Claim.Kind.ROOM && claim.isFor(job));
    }
}
