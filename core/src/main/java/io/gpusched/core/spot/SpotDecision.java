package io.gpusched.core.spot;

/// Where a job runs next, and why.
///
/// @param reason one sentence with the figures, for people
public record SpotDecision(SpotChoice choice, String reason) {}
