/// Scores for people who schedule by themselves: which kind of GPU suits a job, and why.
///
/// Read [io.gpusched.server.learn.ScoreService] first. Scores are worked out on the thread of
/// whoever asks, from a view that never changes; only what was observed, and how often was asked,
/// goes through the cell.
///
///     POST /v1/score train-bert on [A100-80GB, L4-24GB]   →   A100-80GB, cost 9.70731
@NullMarked
package io.gpusched.server.learn;

import org.jspecify.annotations.NullMarked;
