/// Scheduling as a game for learners: an environment with observations, actions and rewards, simple
/// players to beat, and how well they do.
///
/// Read [io.gpusched.rl.Environment] first, then [io.gpusched.rl.CoreCluster], which plays every
/// move on the production core, and [io.gpusched.rl.Evaluation]. What a move means, what is seen
/// and what it is worth are those of a published benchmark, so that its table comes out. Nothing
/// here schedules by itself.
///
///     action ──▶ Cycle.attempt ──▶ the next event ──▶ Cell.take ──▶ observation, reward
@NullMarked
package io.gpusched.rl;

import org.jspecify.annotations.NullMarked;
