/// Trains learned queue orders on workloads: models that score waiting jobs, as the policy
/// `learned` uses them.
///
/// Read [io.gpusched.lab.order.OrderTraining] first: an evolution strategy proposes weights, an
/// [io.gpusched.lab.order.OrderObjective] judges them by running jobs through the production core.
/// Nothing here knows true runtimes when a job is chosen; objectives measure results only.
///
///     EvolutionStrategy ──weights──▶ ScoreModel ──▶ core runs jobs ──▶ cost ──▶ EvolutionStrategy
@NullMarked
package io.gpusched.lab.order;

import org.jspecify.annotations.NullMarked;
