package io.gpusched.rl;

import io.gpusched.sim.generate.RandomStream;

/// Chooses an action from what it sees alone.
public interface ActionPolicy {
    String name();

    /// 0 waits; i starts the job in place i of the window, counted from 1.
    ///
    /// @param random chance, where the player needs any
    int choose(Observation seen, RandomStream random);
}
