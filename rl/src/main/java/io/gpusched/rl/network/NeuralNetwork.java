package io.gpusched.rl.network;

import io.gpusched.sim.scenario.SeededRandom;

/// A function from observations to numbers that has learned weights.
///
/// A policy gives one number for each action (its logit), a value network gives one number. The
/// weights are kept outside, in an array laid out as [#layout] says.
public interface NeuralNetwork {
    WeightLayout layout();

    /// How many numbers an observation has.
    int observed();

    /// How many numbers the network computes for one observation.
    int outputs();

    /// Writes starting weights, which follow from the random numbers alone.
    void initialise(float[] weights, SeededRandom random);

    /// Makes the memory for computing this network. A pass belongs to one thread.
    Pass pass();

    /// Starting weights for a seed.
    ///
    /// @param purpose tells networks with the same seed apart
    default float[] initialWeights(long seed, String purpose) {
        var weights = new float[layout().size()];
        initialise(weights, SeededRandom.of(seed, purpose, 0));
        return weights;
    }

    /// Computes a network forwards, and backwards for the observations of the last forward call.
    interface Pass {
        /// How many observations fit into one call.
        int capacity();

        /// Computes the outputs of some observations.
        ///
        /// @param observations one row of [NeuralNetwork#observed] numbers each
        /// @param allowed which actions are allowed, one row of flags each; a network may leave
        ///        the outputs of other actions as they are
        /// @param outputs one row of [NeuralNetwork#outputs] numbers each
        void forward(
                float[] weights,
                float[] observations,
                boolean[] allowed,
                int count,
                float[] outputs);

        /// Adds the gradient of the weights, given the gradient of the outputs, which is 0 for
        /// actions that are not allowed.
        void backward(float[] weights, float[] outputGradient, float[] gradient);
    }
}
