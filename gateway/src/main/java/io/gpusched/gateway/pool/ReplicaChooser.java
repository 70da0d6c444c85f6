package io.gpusched.gateway.pool;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Set;

/// Chooses the replica for a request: the one that its session used, unless that one is much more
/// loaded than the least loaded one.
public final class ReplicaChooser {
    /// A session stays while its replica has at most this many times the least load ...
    private static final double STAY_FACTOR = 2;

    /// ... and this much more, in prompt tokens: what a cache hit of a usual session saves.
    private static final double STAY_EXTRA = 2_000;

    private final int mostInFlight;

    /// @param mostInFlight requests that one replica has at a time
    public ReplicaChooser(int mostInFlight) {
        this.mostInFlight = mostInFlight;
    }

    /// @param tried jobs that failed for this request
    /// @return null when no replica can take a request now
    public @Nullable ServedReplica choose(
            ServedPool pool, SessionKey session, Set<String> tried, long now) {
        ServedReplica least = least(pool.replicas(), tried, now);
        if (least == null || session.equals(SessionKey.NONE)) {
            return least;
        }
        var ttl = pool.config().serving().sessionTtl();
        String known = pool.sessions().find(session, now, ttl);
        ServedReplica stay = known == null ? null : pool.replica(known);
        boolean stays = stay != null && isOpen(stay, tried) && canStay(stay, least, now);
        ServedReplica chosen = stays && stay != null ? stay : least;
        pool.sessions().use(session, chosen.jobId(), now, chosen.jobId().equals(known));
        return chosen;
    }

    private static boolean canStay(ServedReplica stay, ServedReplica least, long now) {
        return !stay.isSuspect(now) && stay.load() <= STAY_FACTOR * least.load() + STAY_EXTRA;
    }

    private boolean isOpen(ServedReplica replica, Set<String> tried) {
        return replica.isReady()
                && replica.inFlight() < mostInFlight
                && !tried.contains(replica.jobId());
    }

    private @Nullable ServedReplica least(
            Collection<ServedReplica> replicas, Set<String> tried, long now) {
        ServedReplica least = null;
        double leastLoad = Double.MAX_VALUE;
        for (ServedReplica replica : replicas) {
            if (isOpen(replica, tried)) {
                double load = replica.load() + (replica.isSuspect(now) ? 1e12 : 0);
                if (load < leastLoad) {
                    least = replica;
                    leastLoad = load;
                }
            }
        }
        return least;
    }
}
