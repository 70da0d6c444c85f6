package io.gpusched.sim;

import io.gpusched.core.model.AttemptId;

/// One task of one run of a job.
record TaskKey(AttemptId attempt, int rank) {}
