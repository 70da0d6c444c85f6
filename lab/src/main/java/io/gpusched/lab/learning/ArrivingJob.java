package io.gpusched.lab.learning;

import io.gpusched.core.model.JobSpec;

import java.time.Instant;

/// A job that will be submitted.
///
/// @param seconds how long it really runs where nothing slows it down; hidden from the scheduler
record ArrivingJob(Instant at, JobSpec spec, double seconds) {}
