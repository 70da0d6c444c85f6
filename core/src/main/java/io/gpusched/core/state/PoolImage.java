package io.gpusched.core.state;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ReplicaTemplate;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.scale.ScaleLimiter;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Everything the ledger holds about one pool, as a value.
///
/// @param changed when the pool was put, held or removed, or requests came while it had no replica
/// @param removed whether it is forgotten when its last replica has ended
/// @param hold the size at which it is held; null when the rules decide
/// @param desired the size that was decided last
/// @param recommended what its law recommended last
/// @param failures replicas that ended by themselves since one served for a while
/// @param startAfter no replica is started before; null when one may be
/// @param lapses scale-ups in a row that found no capacity
/// @param growAfter the pool does not grow before; null when it may
/// @param loadMillis how long a replica takes from its placement until it is ready, smoothed; 0
///        where none was seen
/// @param recent the last changes of its size, the oldest first
/// @param choice how the next replicas are made; null before the first choice
/// @param interruptions when replicas lost their spot capacity, the oldest first
/// @param activations how many warm replicas began to serve because the load needed more
public record PoolImage(
        Pool pool,
        Instant changed,
        boolean removed,
        @Nullable Integer hold,
        String holdReason,
        int desired,
        @Nullable SizeDecision decided,
        @Nullable SizeDecision recommended,
        int failures,
        @Nullable Instant startAfter,
        String failure,
        int lapses,
        @Nullable Instant growAfter,
        String lapse,
        long loadMillis,
        List<ReplicaStatus> replicas,
        List<SizeDecision> recent,
        @Nullable ServingChoice choice,
        List<Instant> interruptions,
        long activations,
        LoadHistory.Image load,
        ScaleLimiter.Image limiter,
        ReplicaTemplate template,
        List<ReplicaTemplate> earlier) {
    public PoolImage {
        replicas = List.copyOf(replicas);
        recent = List.copyOf(recent);
        interruptions = List.copyOf(interruptions);
        earlier = List.copyOf(earlier);
    }
}
