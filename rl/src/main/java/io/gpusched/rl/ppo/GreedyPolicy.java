package io.gpusched.rl.ppo;

import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Observation;
import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.sim.generate.RandomStream;

/// A player that takes the action with the largest logit. It belongs to one thread.
public final class GreedyPolicy implements ActionPolicy {
    private final String name;
    private final NeuralNetwork network;
    private final float[] weights;
    private final NeuralNetwork.Pass pass;
    private final boolean[] allowed;
    private final float[] logits;

    /// @param weights not copied
    public GreedyPolicy(String name, NeuralNetwork network, float[] weights) {
        this.name = name;
        this.network = network;
        this.weights = weights;
        this.pass = network.pass();
        this.allowed = new boolean[network.outputs()];
        this.logits = new float[network.outputs()];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int choose(Observation seen, RandomStream random) {
        allowed[0] = true;
        for (int place = 0; place < allowed.length - 1; place++) {
            allowed[place + 1] = seen.isFeasible(place);
        }
        return choose(seen.numbers(), allowed);
    }

    /// Chooses one of the allowed actions. Without a choice the network is not computed.
    int choose(float[] observation, boolean[] possible) {
        int count = 0;
        int last = 0;
        for (int action = 0; action < possible.length; action++) {
            count += possible[action] ? 1 : 0;
            last = possible[action] ? action : last;
        }
        if (count == 1) {
            return last;
        }
        pass.forward(weights, observation, possible, 1, logits);
        return MaskedSoftmax.best(logits, possible, 0, network.outputs());
    }
}
