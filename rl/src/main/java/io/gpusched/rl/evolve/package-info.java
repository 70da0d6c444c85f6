/// Learning without gradients: evolution strategies over the weights of a model.
///
/// Read [io.gpusched.rl.evolve.EvolutionStrategy] first. It proposes weights and hears how good
/// each proposal was; what the weights mean and how they are judged is the caller's business. So a
/// whole simulation by the production core can be the judge. Nothing here schedules or reads a file
/// format of a model.
@NullMarked
package io.gpusched.rl.evolve;

import org.jspecify.annotations.NullMarked;
