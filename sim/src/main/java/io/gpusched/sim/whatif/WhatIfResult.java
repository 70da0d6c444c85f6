package io.gpusched.sim.whatif;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What would have been, beside what was.
///
/// @param afterBatch the last batch that was taken as it was
/// @param from the time of that batch
/// @param to the time of the last batch: both sides are measured between the two
/// @param was the policy in force at that point
/// @param policy the policy asked for
/// @param placed how places were chosen at that point
/// @param placing how they are chosen now
/// @param batches read after that point
/// @param events in them
/// @param parted the first round that decided otherwise; null when every one decided the same
/// @param guesses runs whose length nobody knows and that took as long as was likely
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
        long guesses,
        StartComparison.Summary starts,
        PeriodFigures recorded,
        PeriodFigures otherwise) {}
