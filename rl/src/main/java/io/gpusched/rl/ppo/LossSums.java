package io.gpusched.rl.ppo;

/// Sums over the samples of a minibatch, or of a part of it.
final class LossSums {
    double policy;
    double value;
    double entropy;
    double kl;

    void clear() {
        policy = 0;
        value = 0;
        entropy = 0;
        kl = 0;
    }

    void add(LossSums other) {
        policy += other.policy;
        value += other.value;
        entropy += other.entropy;
        kl += other.kl;
    }
}
