/// A reinforcement-learning environment for scheduling: observations, actions, rewards, baseline
/// players and their evaluation.
///
/// Read [io.gpusched.rl.Environment] first, then [io.gpusched.rl.CoreCluster], which executes every
/// action on the production core, and [io.gpusched.rl.Evaluation].
/// [io.gpusched.rl.VectorEnvironment] steps many environments in one batch. Actions, observations
/// and rewards are those of a published benchmark, so that its results can be reproduced. Nothing
/// here schedules by itself.
///
///     action ──▶ Cell.attempt ──▶ the next event ──▶ Cell.take ──▶ observation, reward
@NullMarked
package io.gpusched.rl;

import org.jspecify.annotations.NullMarked;
