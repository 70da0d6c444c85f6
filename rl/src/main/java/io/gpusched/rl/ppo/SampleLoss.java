package io.gpusched.rl.ppo;

/// The loss of one sample of a minibatch, and its derivatives.
interface SampleLoss {
    /// Writes the derivative by each logit, for a sample in which there was a choice.
    ///
    /// @param probabilities of all actions, from `at` on
    /// @param gradient of the logits, from `at` on
    void policy(int sample, float[] probabilities, int at, float[] gradient, LossSums sums);

    /// The derivative by the estimated value.
    float value(int sample, float estimate, LossSums sums);
}
