package io.gpusched.core.engine;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import java.time.Instant;
import java.util.List;

/// On which capacity the replicas run that a pool submits in one pass: on the cheapest that its
/// rules allow and that has room. At most the percentage of the pool that may be there runs on spot
/// capacity, less those that were interrupted lately and moved.
///
///     cheapest first   spot a  $1.00   2 places  ┐ at most 3 on spot
///                      spot b  $1.40   4 places  ┘
///                      paid c  $3.00   9 places      5 replicas: a a b c c
///
/// Replicas are alike, and each costs what its market costs, so taking the cheapest for each in
/// turn gives the cheapest set. At the same price on demand goes first, since nobody takes it away.
///
/// The room of all markets is counted once in the pass, in one trial that places all replicas that
/// could go there. Counting anew for each replica took a quadratic number of placements.
final class SpotShare {
    private final ClusterState state;
    private final PoolSizing sizing;
    private final CostRules rules;
    private final boolean chosen;
    private final int submitted;
    private final long most;
    private int[] room = {};
    private boolean counted;
    private long onSpot;
    private int waitingOnSpot;
    private int waitingElsewhere;

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
            boolean spot = job != null && ReplicaSpecs.isOnSpot(job.spec());
            boolean waits = job != null && job.waiting();
            onSpot += spot ? 1 : 0;
            waitingOnSpot += spot && waits ? 1 : 0;
            waitingElsewhere += !spot && waits ? 1 : 0;
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

    /// The replica as it runs on the cheapest capacity that it may have.
    JobSpec take(JobSpec spec) {
        return take(spec, chosen && onSpot < most);
    }

    /// The replica as it runs on the cheapest capacity on demand.
    JobSpec onDemand(JobSpec spec) {
        return take(spec, false);
    }

    private JobSpec take(JobSpec spec, boolean mayUseSpot) {
        List<ReplicaSpecs.Offer> offers =
                ReplicaSpecs.offers(spec, rules.spotTypes(), state.nodePrices());
        if (!counted) {
            counted = true;
            room = count(offers);
        }
        for (int i = 0; i < offers.size(); i++) {
            ReplicaSpecs.Offer offer = offers.get(i);
            if (room[i] > 0 && (mayUseSpot || !offer.spot())) {
                room[i]--;
                onSpot += offer.spot() ? 1 : 0;
                return offer.spec();
            }
        }
        return ReplicaSpecs.onDemand(spec, state.nodePrices());
    }

    /// How many replicas find room at each offer, beside those that wait already.
    private int[] count(List<ReplicaSpecs.Offer> offers) {
        long forSpot = chosen ? Math.clamp(most - onSpot, 0, submitted) : 0;
        var needed = new int[offers.size()];
        for (int i = 0; i < needed.length; i++) {
            boolean spot = offers.get(i).spot();
            needed[i] = spot ? waitingOnSpot + (int) forSpot : waitingElsewhere + submitted;
        }
        int[] found = sizing.rooms(offers.stream().map(ReplicaSpecs.Offer::spec).toList(), needed);
        int spotAhead = waitingOnSpot;
        int othersAhead = waitingElsewhere;
        for (int i = 0; i < found.length; i++) {
            boolean spot = offers.get(i).spot();
            int taken = Math.min(found[i], spot ? spotAhead : othersAhead);
            found[i] -= taken;
            spotAhead -= spot ? taken : 0;
            othersAhead -= spot ? 0 : taken;
        }
        return found;
    }
}
