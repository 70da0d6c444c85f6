/// Training by proximal policy optimisation (PPO), checkpoints and the training log.
///
/// Read [io.gpusched.rl.ppo.Ppo] first: it has the whole method. Then
/// [io.gpusched.rl.ppo.TrainingRun], which repeats it, evaluates, and writes files. PPO sees an
/// environment only through [io.gpusched.rl.ppo.LearningEnvironment].
///
/// A training run follows from its plan alone. Random numbers come from streams that are named by
/// the seed, the purpose and the update, so that a resumed run draws the same numbers. Work is
/// divided into parts by fixed rules and summed up in the order of the parts, so that the number of
/// threads changes nothing.
///
///     collect ──▶ advantages ──▶ minibatches: gradient ──▶ clip ──▶ Adam ──▶ KL stop?
@NullMarked
package io.gpusched.rl.ppo;

import org.jspecify.annotations.NullMarked;
