package io.gpusched.core.engine;

import io.gpusched.core.scale.Recommendation;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// How large a pool should be now, and why.
///
/// @param recommendation what the pool's law recommends; null when it was not asked, because the
///        pool is held, removed or has no fresh report
/// @param target the recommended size after warm replicas, schedules, cost and bounds
/// @param desired the size that the pool gets now
/// @param rule which rule decided, in a few words
/// @param reason a sentence with the figures, for people
/// @param steps every step on the way to the size, in order
/// @param whyNotMore why the pool does not grow
/// @param retryAt when the pool may grow again, if replicas that found no capacity are withdrawn
///        now; null when none are
public record PoolDecision(
        @Nullable Recommendation recommendation,
        int target,
        int desired,
        String rule,
        String reason,
        List<String> steps,
        String whyNotMore,
        @Nullable Instant retryAt) {
    public PoolDecision {
        steps = List.copyOf(steps);
    }

    /// The same decision for a pool whose missing replicas may not start.
    ///
    /// @param why null when they may
    PoolDecision withWhyNotMore(@Nullable String why) {
        return why == null
                ? this
                : new PoolDecision(
                        recommendation, target, desired, rule, reason, steps, why, retryAt);
    }
}
