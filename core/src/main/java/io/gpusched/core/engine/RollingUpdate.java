package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How many replicas of a pool are like its template, and what holds the others up. It is a
/// function of the ledger and the time.
///
///     old old old          one more than the size      old old old new      until it is ready
///     old old old new   →  an old one drains        →  old old new          and so on
///
/// Where nobody reports load, a replica that runs counts as ready.
public final class RollingUpdate {
    private final PoolEntry entry;
    private final int failures;
    private final List<JobId> lateJobs;
    private final boolean reported;
    private final List<ReplicaStatus> outdated = new ArrayList<>();
    private final List<ReplicaStatus> unserved = new ArrayList<>();
    private final List<ReplicaStatus> late = new ArrayList<>();
    private int updated;
    private int ready;
    private int pending;

    public RollingUpdate(ClusterState state, PoolEntry entry, Instant now) {
        this.entry = entry;
        this.failures = state.pools().probes().failures(entry, now);
        this.lateJobs = new LateReplicas(state, now).of(entry);
        LoadHistory.Sample newest = entry.load().newest();
        this.reported =
                newest != null
                        && !newest.at().plus(entry.pool().scaling().staleAfter()).isBefore(now);
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            if (job != null && status.state(job) != ReplicaStatus.State.DRAINING) {
                count(status, job);
            }
        }
    }

    private void count(ReplicaStatus status, Job job) {
        boolean serves = isReady(status, job);
        ready += serves ? 1 : 0;
        if (!entry.isUpdated(status)) {
            outdated.add(status);
            if (!serves && !status.served()) {
                unserved.add(status);
            }
            return;
        }
        updated++;
        pending += serves ? 0 : 1;
        if (lateJobs.contains(status.job())) {
            late.add(status);
        }
    }

    boolean isReady(ReplicaStatus status, Job job) {
        return status.ready() != null || (!reported && job.phase() instanceof Phase.Running);
    }

    /// Replicas that are like the template and ready.
    public int done() {
        return updated - pending;
    }

    /// Replicas that stay and are like the template.
    int updated() {
        return updated;
    }

    /// Replicas that stay.
    int total() {
        return updated + outdated.size();
    }

    /// Whether no replica is to be replaced.
    boolean isOver() {
        return outdated.isEmpty() || !entry.pool().serving().rolling() || entry.removed();
    }

    /// Whether it goes no further because replicas end by themselves.
    public boolean isStopped() {
        return !isOver() && failures > 0;
    }

    /// Replicas of an earlier template.
    List<ReplicaStatus> outdated() {
        return outdated;
    }

    /// Those of them that never served: nothing is lost with them.
    List<ReplicaStatus> unserved() {
        return unserved;
    }

    /// New replicas that found no capacity for too long.
    List<ReplicaStatus> late() {
        return late;
    }

    int ready() {
        return ready;
    }

    /// New replicas that are not ready yet.
    int pending() {
        return pending;
    }

    /// How it goes, in a sentence; empty when every replica is like the template.
    ///
    /// @param room whether one more replica could be placed now
    public String words(boolean room) {
        if (outdated.isEmpty() || entry.removed()) {
            return "";
        }
        String sizes =
                String.format(
                        Locale.ROOT, "%d of %d replicas are updated", done(), entry.desired());
        if (!entry.pool().serving().rolling()) {
            return sizes + "; the others keep the earlier template, because serving.update is none";
        }
        if (isStopped()) {
            return String.format(
                    Locale.ROOT,
                    "%s; the update has stopped, because replicas end by themselves (%s, %d in a"
                            + " row); those of the earlier template keep serving",
                    sizes,
                    entry.failure(),
                    failures);
        }
        if (pending > 0) {
            return sizes + "; the update goes on when the new one is ready";
        }
        return entry.desired() == 1 && !room
                ? sizes + "; the update waits for capacity for a second replica"
                : sizes;
    }
}
