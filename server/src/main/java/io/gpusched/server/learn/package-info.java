/// Scores for external schedulers: which kind of GPU suits a job, and why.
///
/// Read [io.gpusched.server.learn.ScoreService] first. A score is computed on the request's thread,
/// from an immutable view of the model. Only observations and the counts of choices go through the
/// cell. Nothing here places jobs of this scheduler.
///
///     POST /v1/score train-bert on [A100-80GB, L4-24GB]   →   A100-80GB, cost 9.70731
@NullMarked
package io.gpusched.server.learn;

import org.jspecify.annotations.NullMarked;
