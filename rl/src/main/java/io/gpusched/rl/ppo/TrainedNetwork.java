package io.gpusched.rl.ppo;

import io.gpusched.core.model.Check;
import io.gpusched.rl.network.Adam;
import io.gpusched.rl.network.NeuralNetwork;

/// A network with its weights and its optimiser.
public final class TrainedNetwork {
    private final NeuralNetwork network;
    private final float[] weights;
    private final Adam optimiser;

    public TrainedNetwork(NeuralNetwork network, float[] weights, Adam optimiser) {
        Check.that(
                weights.length == network.layout().size(),
                "the network has %s weights, found %s",
                network.layout().size(),
                weights.length);
        this.network = network;
        this.weights = weights;
        this.optimiser = optimiser;
    }

    /// An untrained network.
    static TrainedNetwork initial(NeuralNetwork network, long seed, String purpose) {
        return new TrainedNetwork(
                network, network.initialWeights(seed, purpose), new Adam(network.layout().size()));
    }

    /// The same network with an optimiser that has no memory.
    TrainedNetwork forUse() {
        return new TrainedNetwork(network, weights, new Adam(0));
    }

    public NeuralNetwork network() {
        return network;
    }

    /// The weights. Not a copy.
    public float[] weights() {
        return weights;
    }

    Adam optimiser() {
        return optimiser;
    }
}
