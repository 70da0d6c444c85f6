package io.gpusched.rl;

import io.gpusched.sim.generate.RandomStream;

/// A player: chooses an action from the observation alone.
public interface ActionPolicy {
    String name();

    /// Returns 0 to wait, or i to start the job at position i of the window, counted from 1.
    ///
    /// @param random the random numbers of the player
    int choose(Observation seen, RandomStream random);
}
