package io.gpusched.sim.scenario;

import io.gpusched.core.model.JobSpec;

import java.time.Duration;

/// A job that will be submitted, and the truth about it that no policy may see.
///
/// @param at after the scenario's start
/// @param held whether it is submitted on hold
public record Arrival(Duration at, JobSpec spec, boolean held, HiddenTruth hiddenTruth) {}
