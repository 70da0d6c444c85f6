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
    public static TrainedNetwork initial(NeuralNetwork network, long seed) {
        return new TrainedNetwork(
                network, network.initialWeights(seed), new Adam(network.layout().size()));
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
