package io.gpusched.core.spot;

/// Where a job runs from now on, with the figures of the choice. Costs are of all that is left, in
/// millionths of a dollar; -1 for what cannot be done, or where no price is known.
///
/// @param reason one sentence, for people
/// @param slackMillis time that may be lost without missing the deadline
public record CapacityChoice(
        SpotChoice choice,
        String reason,
        long slackMillis,
        long spotMicroDollars,
        long waitMicroDollars,
        long onDemandMicroDollars) {}
