/// What the scheduler learns from runs that ended: a fold over events, kept beside the ledger, in
/// snapshots and in the digest like it.
///
/// Read [io.gpusched.core.learn.Learner] first. What is learned is shown to others as values that
/// never change ([io.gpusched.core.learn.ScoreView]), so that questions need not wait for whoever
/// is deciding. Nothing here places a job; rules that want to know something look at it.
///
///     Observed train-bert on A100-80GB took 73.4 s   →   train-bert on A100-80GB: 73.4 s ± 1
@NullMarked
package io.gpusched.core.learn;

import org.jspecify.annotations.NullMarked;
