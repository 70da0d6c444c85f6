/// Neural networks in plain Java: layers, whole networks, their gradients, and the optimiser.
///
/// Read [io.gpusched.rl.network.NeuralNetwork] first, then
/// [io.gpusched.rl.network.AttentionNetwork], the largest. A network is a description without
/// weights: its weights are one flat array of floats, whose named parts
/// [io.gpusched.rl.network.WeightLayout] lists. So an optimiser, a checkpoint and a thread's
/// gradient are arrays too.
///
/// Every sum has a fixed order, and only exact or strict functions are used. The same weights and
/// observations give the same bits on every machine, in training as in production. Nothing here
/// knows an environment, a file or a thread.
///
///     var weights = network.initialWeights(seed, "policy");
///     var pass = network.pass();
///     pass.forward(weights, observations, allowed, count, logits);
///     pass.backward(weights, logitGradients, gradient);
@NullMarked
package io.gpusched.rl.network;

import org.jspecify.annotations.NullMarked;
