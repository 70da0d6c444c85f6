package io.gpusched.rl;

/// An environment for scheduling, with the contract of Gymnasium: [#reset] begins an episode,
/// [#step] executes an action, and the two never run at the same time.
///
/// [EnvironmentChecker] tests whether an implementation keeps the contract.
public interface GymEnvironment {
    /// How many numbers an observation has.
    int observed();

    /// How many actions there are: waiting, and each place in the window.
    int actions();

    /// The largest number of steps of an episode.
    int maxSteps();

    /// How many jobs the present episode has.
    int totalJobs();

    /// The time in seconds after which an episode is cut off; 0 where only steps are limited.
    default double horizon() {
        return 0;
    }

    /// The least value of a number in an observation.
    default float least() {
        return 0;
    }

    /// The largest value of a number in an observation.
    default float most() {
        return 1;
    }

    /// Begins an episode, which follows from the seed and the actions alone. It may be called in
    /// the middle of another episode.
    Observed reset(long seed);

    /// Executes an action. An action that is not possible counts as waiting. After the last step
    /// of an episode, only [#reset] may follow.
    Step step(int action);

    /// Which actions can be carried out; action 0, waiting, always can.
    boolean[] mask();

    /// Writes the same into an array of [#actions].
    default void mask(boolean[] into) {
        System.arraycopy(mask(), 0, into, 0, into.length);
    }

    /// The present observation.
    Observed observation();
}
