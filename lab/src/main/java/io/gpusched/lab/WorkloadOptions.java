package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.environment.RequestError;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/// The options that set up the reinforcement-learning environment, except for the look-ahead.
final class WorkloadOptions {
    @Option(names = "--num-gpus", paramLabel = "N", description = "Number of GPUs (default 8).")
    private int gpus = EnvironmentParameters.USUAL.numGpus();

    @Option(
            names = "--max-queue-size",
            paramLabel = "N",
            description = "Number of waiting jobs in an observation (default 50).")
    private int window = EnvironmentParameters.USUAL.maxQueueSize();

    @Option(
            names = "--max-episode-steps",
            paramLabel = "N",
            description = "Largest number of steps of an episode (default 2000).")
    private int maxSteps = EnvironmentParameters.USUAL.maxEpisodeSteps();

    @Option(
            names = "--max-duration",
            paramLabel = "SECONDS",
            description = "Longest run time of a job, in seconds (default 10000).")
    private double maxDuration = EnvironmentParameters.USUAL.maxDuration();

    @Option(
            names = "--jobs-per-episode",
            paramLabel = "N",
            description = "Number of jobs in an episode (default 400).")
    private int jobs = EnvironmentParameters.USUAL.jobsPerEpisode();

    @Option(
            names = "--arrival-mode",
            paramLabel = "MODE",
            description = "Arrivals of jobs: bursty or all_at_zero (default bursty).")
    private String arrivalMode = EnvironmentParameters.USUAL.arrivalMode();

    @Option(
            names = "--arrival-span",
            paramLabel = "SECONDS",
            description = "Time over which jobs arrive, in seconds (default: --max-duration).")
    private @Nullable Double arrivalSpan;

    @Option(
            names = "--horizon-factor",
            paramLabel = "X",
            description =
                    "An episode ends at the last arrival plus X times the shortest time that the"
                            + " work could take (default 1.3).")
    private double horizonFactor = EnvironmentParameters.USUAL.horizonFactor();

    /// Throws [UserError] for a value that cannot be used.
    EnvironmentParameters parameters(String lookahead) {
        var given =
                new EnvironmentParameters(
                        gpus,
                        window,
                        maxSteps,
                        maxDuration,
                        jobs,
                        arrivalMode,
                        arrivalSpan,
                        horizonFactor,
                        lookahead);
        try {
            given.settings();
        } catch (RequestError e) {
            throw new UserError("--" + e.field().replace('_', '-') + ": " + e.says());
        }
        return given;
    }
}
