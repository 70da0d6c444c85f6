package io.gpusched.rl.ppo;

import io.gpusched.rl.network.NeuralNetwork;

/// What a model was made for. Weights of one shape mean nothing in another.
///
/// @param encoder the version of what turns an observation into the numbers of the policy
/// @param lookahead how observations show when GPUs become free
/// @param window how many waiting jobs are seen
public record ModelShape(
        Architecture architecture, String encoder, String lookahead, int window, int gpus) {
    /// The shape of a model of this program, with its present encoder.
    public static ModelShape of(Architecture architecture, String lookahead, int window, int gpus) {
        return new ModelShape(
                architecture, architecture.encoder(window, gpus), lookahead, window, gpus);
    }

    public NeuralNetwork policy() {
        return architecture.policy(window, gpus);
    }

    public NeuralNetwork value() {
        return architecture.value(window, gpus);
    }

    @Override
    public String toString() {
        return String.format(
                "architecture %s, encoder %s, look-ahead %s, window %d, GPUs %d",
                architecture, encoder, lookahead, window, gpus);
    }
}
