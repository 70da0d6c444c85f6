package io.gpusched.lab.environment;

import io.gpusched.core.model.Gpu;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.Lookahead;
import io.gpusched.sim.generate.BenchmarkWorkload;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/// The settings of an environment as users write them, in options and in requests.
///
/// @param arrivalSpan null means as long as `maxDuration`
public record EnvironmentParameters(
        int numGpus,
        int maxQueueSize,
        int maxEpisodeSteps,
        double maxDuration,
        int jobsPerEpisode,
        String arrivalMode,
        @Nullable Double arrivalSpan,
        double horizonFactor,
        String lookaheadMode) {
    /// Larger episodes or windows would need too much memory.
    private static final int MOST_JOBS = 100_000;

    private static final int MOST_SEEN = 10_000;

    private static final List<String> ARRIVAL_MODES = List.of("bursty", "all_at_zero");

    public static final EnvironmentParameters USUAL =
            new EnvironmentParameters(8, 50, 2000, 10_000, 400, "bursty", null, 1.3, "per_gpu");

    /// Throws [RequestError] naming the first component that cannot be used, in snake case.
    public EnvironmentSettings settings() {
        between("num_gpus", numGpus, 1, Gpu.MOST_PER_NODE);
        between("max_queue_size", maxQueueSize, 1, MOST_SEEN);
        between("max_episode_steps", maxEpisodeSteps, 1, Integer.MAX_VALUE);
        between("max_duration", maxDuration, 1e-3, 1e9);
        between("jobs_per_episode", jobsPerEpisode, 1, MOST_JOBS);
        oneOf("arrival_mode", arrivalMode, ARRIVAL_MODES);
        double span = arrivalSpan == null ? maxDuration : arrivalSpan;
        between("arrival_span", span, 0, 1e9);
        between("horizon_factor", horizonFactor, 1e-6, 1e6);
        oneOf("lookahead_mode", lookaheadMode, Lookahead.NAMES);
        var workload =
                new BenchmarkWorkload(
                        jobsPerEpisode,
                        numGpus,
                        maxDuration,
                        BenchmarkWorkload.Spacing.valueOf(arrivalMode.toUpperCase(Locale.ROOT)),
                        span);
        return new EnvironmentSettings(
                workload,
                maxQueueSize,
                maxEpisodeSteps,
                horizonFactor,
                Lookahead.valueOf(lookaheadMode.toUpperCase(Locale.ROOT)));
    }

    static void between(String field, double found, double least, double most) {
        if (!(found >= least && found <= most)) {
            throw new RequestError(
                    field,
                    "expected %s to %s, found %s"
                            .formatted(plain(least), plain(most), plain(found)));
        }
    }

    private static void oneOf(String field, String found, List<String> known) {
        if (!known.contains(found)) {
            throw new RequestError(
                    field,
                    "expected one of %s, found %s".formatted(String.join(", ", known), found));
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
