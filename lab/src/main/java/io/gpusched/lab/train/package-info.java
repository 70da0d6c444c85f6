/// Training runs of the lab: their environment, their files, the table of ablations and the curves
/// of the training log.
///
/// Read [io.gpusched.lab.train.TrainingEnvironment] first. PPO itself is in `rl`.
@NullMarked
package io.gpusched.lab.train;

import org.jspecify.annotations.NullMarked;
