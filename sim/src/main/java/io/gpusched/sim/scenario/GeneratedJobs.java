package io.gpusched.sim.scenario;

import java.util.List;

/// Jobs that follow from a seed.
public sealed interface GeneratedJobs permits GeneratedWorkload, Benchmark {
    /// How many jobs.
    int count();

    GeneratedJobs withCount(int other);

    /// @param number which one of a scenario's this is, from 0: they do not draw alike
    List<Arrival> draw(long seed, int number);
}
