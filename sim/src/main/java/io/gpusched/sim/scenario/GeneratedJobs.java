package io.gpusched.sim.scenario;

import java.util.List;

/// Generated jobs, which depend only on a seed.
public sealed interface GeneratedJobs permits GeneratedWorkload, Benchmark {
    /// How many jobs.
    int count();

    GeneratedJobs withCount(int other);

    /// @param number the index of this workload in its scenario, from 0; each index has its own
    ///        random numbers
    List<Arrival> draw(long seed, int number);
}
