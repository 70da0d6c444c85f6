package io.gpusched.core.explain;

import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.SizeDecision;

import java.util.List;

/// Why a pool has its size, and why it does not have more replicas.
///
/// @param desired the size that was decided last
/// @param wouldBe the size that would be decided now
/// @param rule which rule would decide now
/// @param steps every step on the way to the size that would be decided now, in order
/// @param capacity how many of the missing replicas can be placed, and when the next one can; empty
///        where none is missing
/// @param waiting why each replica that is not placed waits
/// @param recent the last changes of the size, the oldest first
public record PoolExplanation(
        PoolId pool,
        int desired,
        int wouldBe,
        String rule,
        String reason,
        List<String> steps,
        String whyNotMore,
        String capacity,
        List<Explanation> waiting,
        List<SizeDecision> recent) {
    public PoolExplanation {
        steps = List.copyOf(steps);
        waiting = List.copyOf(waiting);
        recent = List.copyOf(recent);
    }
}
