package io.gpusched.rl;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Gpu;
import io.gpusched.sim.generate.BenchmarkWorkload;

/// The settings of the environment.
///
/// @param window how many waiting jobs can be seen and chosen, the oldest first
/// @param maxSteps an episode is cut off after so many steps
/// @param horizonFactor an episode is cut off this many times the least time the work could take
///        after the last arrival
/// @param lookahead how observations show when GPUs become free
public record EnvironmentSettings(
        BenchmarkWorkload workload,
        int window,
        int maxSteps,
        double horizonFactor,
        Lookahead lookahead) {
    public static final EnvironmentSettings USUAL =
            new EnvironmentSettings(BenchmarkWorkload.USUAL, 50, 2000, 1.3, Lookahead.PER_GPU);

    public EnvironmentSettings {
        Check.that(window >= 1, "at least one job is seen, found %s", window);
        Check.that(maxSteps >= 1, "there is at least one step, found %s", maxSteps);
        Check.that(horizonFactor > 0, "the horizon factor is positive, found %s", horizonFactor);
        Check.that(
                workload.clusterGpus() <= Gpu.MOST_PER_NODE,
                "a node has at most %s GPUs, found %s",
                Gpu.MOST_PER_NODE,
                workload.clusterGpus());
    }

    public int gpus() {
        return workload.clusterGpus();
    }

    /// How many numbers an observation has.
    public int observed() {
        return Observation.PER_JOB * window + gpus() + 2;
    }

    /// How many actions there are: waiting, and each place in the window.
    public int actions() {
        return window + 1;
    }
}
