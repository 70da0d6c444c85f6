package io.gpusched.sim.generate;

import io.gpusched.core.model.Check;

/// The jobs of the learning benchmark: many tiny jobs, and a few huge ones that mostly need more
/// GPUs and have a lower priority, arriving in bursts. They depend on the seed to the last bit, so
/// that published returns can be compared.
///
/// Times are single precision, as they were where the benchmark comes from; the order of draws is
/// part of the definition.
///
/// @param jobs how many jobs there are
/// @param clusterGpus the number of GPUs of the cluster; no job requests more than that, or more
///        than 8
/// @param longest the longest a job can run, in seconds
/// @param coming the arrival times of jobs
/// @param span the time over which they arrive, in seconds
public record BenchmarkWorkload(
        int jobs, int clusterGpus, double longest, Spacing coming, double span) {
    /// The arrival times of jobs.
    public enum Spacing {
        /// Around a few centres, with some in between.
        BURSTY,
        /// All at the beginning.
        ALL_AT_ZERO
    }

    public static final int MOST_PRIORITY = 10;
    public static final BenchmarkWorkload USUAL =
            new BenchmarkWorkload(400, 8, 10_000, Spacing.BURSTY, 10_000);

    private static final int MOST_GPUS = 8;
    private static final double TAIL = 0.15;
    private static final double TINY_FROM = 0.01;
    private static final double HUGE_FROM = 0.08;
    private static final double GPUS_BY_LENGTH = 0.7;
    private static final double PRIORITY_BY_LENGTH = 0.6;
    private static final int BURSTS = 6;
    private static final double IN_BURST = 0.8;
    private static final double BURST_WIDTH = 0.03;

    public BenchmarkWorkload {
        Check.that(jobs >= 1, "there is at least one job, found %s", jobs);
        Check.that(clusterGpus >= 1, "there is at least one GPU, found %s", clusterGpus);
        Check.that(longest > 0 && longest < 1e9, "jobs run 0 to 1e9 s, found %s", longest);
        Check.that(span >= 0 && span < 1e9, "jobs come within 0 to 1e9 s, found %s", span);
    }

    /// Draws the jobs of one episode.
    public BenchmarkJobs draw(RandomStream random) {
        float[] seconds = seconds(random);
        int[] gpus = gpus(random, seconds);
        int[] priorities = priorities(random, seconds);
        return new BenchmarkJobs(seconds, gpus, priorities, arrivals(random));
    }

    private float[] seconds(RandomStream random) {
        var huge = new boolean[jobs];
        for (int i = 0; i < jobs; i++) {
            huge[i] = random.unit() < TAIL;
        }
        var seconds = new float[jobs];
        for (int i = 0; i < jobs; i++) {
            double tiny = random.uniform(longest * TINY_FROM, longest * HUGE_FROM);
            seconds[i] = huge[i] ? 0 : single(tiny);
        }
        double from = StrictMath.log(longest * HUGE_FROM);
        double to = StrictMath.log(longest);
        for (int i = 0; i < jobs; i++) {
            double drawn = StrictMath.exp(random.uniform(from, to));
            seconds[i] = huge[i] ? single(drawn) : seconds[i];
        }
        return seconds;
    }

    private float single(double seconds) {
        return (float) Math.clamp(seconds, 1e-6, longest);
    }

    private int[] gpus(RandomStream random, float[] seconds) {
        int most = Math.min(clusterGpus, MOST_GPUS);
        var gpus = new int[jobs];
        for (int i = 0; i < jobs; i++) {
            float part = power(seconds[i] / (float) longest, 0.6f);
            int byLength = 1 + (int) Math.floor(part * (most - 1));
            gpus[i] = mixed(random.whole(1, most + 1), byLength, GPUS_BY_LENGTH, most);
        }
        return gpus;
    }

    private int[] priorities(RandomStream random, float[] seconds) {
        var priorities = new int[jobs];
        for (int i = 0; i < jobs; i++) {
            float part = power(1.0f - seconds[i] / (float) longest, 0.8f);
            int byLength = 1 + (int) Math.floor(part * (MOST_PRIORITY - 1));
            int drawn = random.whole(1, MOST_PRIORITY + 1);
            priorities[i] = mixed(drawn, byLength, PRIORITY_BY_LENGTH, MOST_PRIORITY);
        }
        return priorities;
    }

    private static float power(float value, float exponent) {
        return (float) StrictMath.pow(value, exponent);
    }

    /// Halves go to the even neighbour, and `1 - weight` is rounded before it is used: both decide
    /// where a mixture falls on a half.
    private static int mixed(int drawn, int byLength, double weight, int most) {
        double mixture = (1.0 - weight) * drawn + weight * byLength;
        return Math.clamp((long) Math.rint(mixture), 1, most);
    }

    private float[] arrivals(RandomStream random) {
        var arrivals = new float[jobs];
        if (coming == Spacing.ALL_AT_ZERO) {
            return arrivals;
        }
        var centres = new double[BURSTS];
        for (int i = 0; i < BURSTS; i++) {
            centres[i] = random.uniform(0, span);
        }
        var inBurst = new boolean[jobs];
        for (int i = 0; i < jobs; i++) {
            inBurst[i] = random.unit() < IN_BURST;
        }
        var at = new double[jobs];
        for (int i = 0; i < jobs; i++) {
            at[i] = centres[random.whole(0, BURSTS)];
        }
        double width = Math.max(1e-6, span * BURST_WIDTH);
        for (int i = 0; i < jobs; i++) {
            at[i] += random.normal(0, width);
        }
        for (int i = 0; i < jobs; i++) {
            double anywhere = random.uniform(0, span);
            arrivals[i] = (float) Math.clamp(inBurst[i] ? at[i] : anywhere, 0, span);
        }
        return arrivals;
    }
}
