package io.gpusched.core.engine;

import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotChoice;

import java.time.Instant;

/// Where a job with a deadline should run now, and why.
///
/// @param current where it runs
/// @param deadline when it must be finished
/// @param remainingMillis the work that is not done
/// @param latestOnDemand when a job that does not run must start on demand; for one that runs on
///        spot capacity, the same if it lost that capacity now
/// @param atRisk whether the deadline will be missed unless capacity on demand becomes free, or
///        even then
public record DeadlineDecision(
        CapacityChoice choice,
        SpotChoice current,
        Instant deadline,
        long remainingMillis,
        Instant latestOnDemand,
        boolean atRisk) {}
