package io.gpusched.rl.ppo;

/// What PPO needs of an environment. Episodes follow from the seed and the actions alone.
public interface LearningEnvironment {
    /// How many numbers an observation has.
    int observed();

    /// How many actions there are; action 0 is the no-op.
    int actions();

    /// Begins an episode.
    void reset(long seed);

    /// The present observation. The next step overwrites it.
    float[] observation();

    /// Which actions are possible now; at least one is. The next step may overwrite it.
    boolean[] allowed();

    /// Carries out an action and returns the reward.
    double step(int action);

    /// Whether the last step ended the episode. The reward of that step includes what the end is
    /// worth, also when the episode was cut off, so nothing comes after it.
    boolean isOver();

    /// Whether the last action was not possible and counted as the no-op.
    boolean wasInvalid();

    /// The action that a known rule would take now, for imitation.
    int advice();
}
