/// What the scheduler learns from ended runs: a fold over events, kept beside the ledger and, like
/// it, in snapshots and in the digest.
///
/// Read [io.gpusched.core.learn.Learner] first. Other threads read what was learned as immutable
/// values ([io.gpusched.core.learn.ScoreView]), so that queries never wait for the scheduling
/// thread. Nothing here may place a job; scheduling rules only read it.
///
///     Observed train-bert on A100-80GB took 73.4 s   →   train-bert on A100-80GB: 73.4 s ± 1
@NullMarked
package io.gpusched.core.learn;

import org.jspecify.annotations.NullMarked;
