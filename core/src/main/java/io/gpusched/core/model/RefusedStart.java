package io.gpusched.core.model;

import java.time.Instant;

/// A node refused to start a job, which then started elsewhere.
///
/// @param at when it started elsewhere
public record RefusedStart(JobId job, Instant at) {}
