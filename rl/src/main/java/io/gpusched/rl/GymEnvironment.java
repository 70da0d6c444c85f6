package io.gpusched.rl;

/// An environment for scheduling, with the contract of Gymnasium: [#reset] begins an episode,
/// [#step] executes an action, and the two never run at the same time.
///
/// [EnvironmentChecker] tests whether an implementation keeps the contract.
public interface GymEnvironment {
    EnvironmentSettings settings();

    /// Begins an episode, which follows from the seed and the actions alone. It may be called in
    /// the middle of another episode.
    Observation reset(long seed);

    /// Executes an action. An action that is not possible counts as waiting. After the last step
    /// of an episode, only [#reset] may follow.
    Step step(int action);

    /// Which actions can be carried out; action 0, waiting, always can.
    boolean[] mask();

    /// The present observation.
    Observation observation();
}
