package io.gpusched.sim.whatif;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The answer to a what-if: the figures of the branch beside the recorded ones.
///
/// @param afterBatch the last batch that was taken as recorded
/// @param from the time of that batch
/// @param to the time of the last batch: both sides are measured between the two
/// @param was the policy in force at that point
/// @param policy the policy of the branch
/// @param placed the placement strategy in force at that point
/// @param placing the placement strategy of the branch
/// @param batches the number of batches read after that point
/// @param events the number of events in them
/// @param parted the first cycle that decided something else; null if every cycle decided the same
/// @param pools names of the pools, which kept their recorded sizes
/// @param guesses runs whose runtime is not known and that took the predicted time
public record WhatIfResult(
        long afterBatch,
        Instant from,
        Instant to,
        String was,
        String policy,
        String placed,
        String placing,
        long batches,
        long events,
        long decisions,
        @Nullable DecisionDifference parted,
        List<String> pools,
        long guesses,
        StartComparison.Summary starts,
        PeriodFigures recorded,
        PeriodFigures otherwise) {
    public WhatIfResult {
        pools = List.copyOf(pools);
    }
}
