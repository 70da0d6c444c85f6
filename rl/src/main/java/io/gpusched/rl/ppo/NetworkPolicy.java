package io.gpusched.rl.ppo;

import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Observation;
import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.sim.generate.RandomStream;

/// A player that asks a network, and takes the action with the largest logit. It belongs to one
/// thread. Where only one action is possible, the network is not computed.
public final class NetworkPolicy implements ActionPolicy {
    private final String name;
    private final NeuralNetwork network;
    private final float[] weights;
    private final NeuralNetwork.Pass pass;
    private final boolean[] possible;
    private final float[] logits;
    private final float[] probabilities;

    /// @param weights not copied
    public NetworkPolicy(String name, NeuralNetwork network, float[] weights) {
        this.name = name;
        this.network = network;
        this.weights = weights;
        this.pass = network.pass();
        this.possible = new boolean[network.outputs()];
        this.logits = new float[network.outputs()];
        this.probabilities = new float[network.outputs()];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int choose(Observation seen, RandomStream random) {
        possible[0] = true;
        for (int place = 0; place < possible.length - 1; place++) {
            possible[place + 1] = seen.isFeasible(place);
        }
        return best(seen.numbers(), possible);
    }

    /// The allowed action with the largest logit.
    int best(float[] observation, boolean[] allowed) {
        int only = onlyAction(allowed);
        if (only >= 0) {
            return only;
        }
        pass.forward(weights, observation, allowed, 1, logits);
        return MaskedSoftmax.best(logits, allowed, 0, network.outputs());
    }

    /// An allowed action by its probability.
    ///
    /// @param point drawn evenly from 0 to 1
    int draw(float[] observation, boolean[] allowed, double point) {
        int only = onlyAction(allowed);
        if (only >= 0) {
            return only;
        }
        pass.forward(weights, observation, allowed, 1, logits);
        MaskedSoftmax.probabilities(logits, allowed, 0, network.outputs(), probabilities);
        return MaskedSoftmax.sample(probabilities, 0, network.outputs(), point);
    }

    /// The only allowed action, or -1 if there is a choice.
    private static int onlyAction(boolean[] allowed) {
        int only = -1;
        for (int action = 0; action < allowed.length; action++) {
            if (allowed[action] && only >= 0) {
                return -1;
            }
            only = allowed[action] ? action : only;
        }
        return only;
    }
}
