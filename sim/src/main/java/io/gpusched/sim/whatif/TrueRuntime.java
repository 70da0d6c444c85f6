package io.gpusched.sim.whatif;

import io.gpusched.core.model.Exit;

import java.time.Duration;

/// The total runtime of a job, including the work that earlier runs saved.
///
/// @param exit how the job ends after that time
/// @param known false if the journal only gives a lower bound
/// @param guessed whether this is a prediction from other jobs, not a recorded value
public record TrueRuntime(Duration runs, Exit exit, boolean known, boolean guessed) {}
