package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Which of the replicas that a pool submits in one pass run on spot capacity: at most the
/// percentage of the pool that may be there, less those that were interrupted lately and moved, and
/// only where there is room.
///
/// The room of each spot market is counted once in the pass, with a trial that places all replicas
/// that could go there. Counting anew for each replica took a quadratic number of placements.
final class SpotShare {
    private final ClusterState state;
    private final PoolSizing sizing;
    private final CostRules rules;
    private final boolean chosen;
    private final int submitted;
    private final long most;
    private final List<Integer> room = new ArrayList<>();
    private long onSpot;
    private long waiting;

    /// @param submitted how many replicas the pass submits at most
    SpotShare(ClusterState state, PoolEntry entry, PoolSizing sizing, int submitted, Instant now) {
        this.state = state;
        this.sizing = sizing;
        this.rules = entry.pool().cost();
        this.chosen = entry.choice().spot();
        this.submitted = submitted;
        int moved = rules.migrate() ? entry.interruptionsSince(now.minus(rules.window())) : 0;
        this.most = (long) entry.desired() * rules.spotPercent() / 100 - moved;
        for (ReplicaStatus status : entry.replicas()) {
            Job job = state.job(status.job());
            if (job != null && ReplicaSpecs.isOnSpot(job.spec())) {
                onSpot++;
                waiting += job.waiting() ? 1 : 0;
            }
        }
        onSpot -= replaced(entry, now);
    }

    /// A replica beyond the size takes the place of one on spot capacity, if an update replaces
    /// one.
    private int replaced(PoolEntry entry, Instant now) {
        if (state.pools().counts(entry).active() < entry.desired()) {
            return 0;
        }
        for (ReplicaStatus status : new RollingUpdate(state, entry, now).outdated()) {
            Job job = state.job(status.job());
            if (job != null && ReplicaSpecs.isOnSpot(job.spec())) {
                return 1;
            }
        }
        return 0;
    }

    /// The replica as it runs on spot capacity; null when it runs on demand.
    @Nullable JobSpec take(JobSpec spec) {
        if (!chosen || onSpot >= most) {
            return null;
        }
        List<JobSpec> markets = ReplicaSpecs.onSpot(spec, rules.spotTypes(), state.nodePrices());
        for (int i = 0; i < markets.size(); i++) {
            if (room.size() == i) {
                int needed = (int) Math.min(waiting + submitted, waiting + most - onSpot);
                room.add(sizing.room(markets.get(i), needed));
            }
            if (room.get(i) > waiting) {
                onSpot++;
                waiting++;
                return markets.get(i);
            }
        }
        return null;
    }
}
