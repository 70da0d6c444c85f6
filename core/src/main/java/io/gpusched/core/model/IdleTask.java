package io.gpusched.core.model;

import java.time.Instant;

/// A task that holds GPUs and has not used them for a while.
///
/// @param since from when on they have hardly been used
public record IdleTask(AttemptId attempt, int rank, Instant since) {}
