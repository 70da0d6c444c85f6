package io.gpusched.lab;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.train.TrainingEnvironment;
import io.gpusched.rl.ppo.Architecture;
import io.gpusched.rl.ppo.ModelShape;
import io.gpusched.rl.ppo.PpoSettings;
import io.gpusched.rl.ppo.Preset;
import io.gpusched.rl.ppo.TrainingPlan;
import io.gpusched.rl.ppo.WorkerThreads;

import picocli.CommandLine.Option;

import java.util.List;

/// The options that all training runs of a command share.
final class TrainingOptions {
    private static final int MANY = 1_000_000;
    private static final int MOST_THREADS = 256;

    /// Seeds of episodes have 32 bits.
    private static final long MOST_SEED = 0xffff_ffffL;

    @Option(
            names = "--total-timesteps",
            paramLabel = "N",
            description =
                    "Number of steps in the environment, rounded up to whole updates (default"
                            + " 200000).")
    private long totalSteps = 200_000;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            description =
                    "Settings of PPO (default baseline_stable). baseline_stable has those of the"
                            + " published benchmark; warm_start imitates the rule INDEX first.")
    private String preset = Preset.BASELINE_STABLE.toString();

    @Option(
            names = "--num-eval-episodes",
            paramLabel = "N",
            description =
                    "Number of episodes of each of the two evaluations at the end (default 60).")
    private int finalEpisodes = 60;

    @Option(
            names = "--eval-interval-updates",
            paramLabel = "N",
            description = "Evaluate after every N updates (default 10).")
    private int interval = 10;

    @Option(
            names = "--eval-episodes",
            paramLabel = "N",
            description = "Number of episodes in a block of an evaluation (default 20).")
    private int episodes = 20;

    @Option(
            names = "--eval-num-blocks",
            paramLabel = "N",
            description = "Number of blocks of an evaluation (default 3).")
    private int blocks = 3;

    @Option(
            names = "--eval-deterministic",
            paramLabel = "0|1",
            description =
                    "1: evaluations take the best action; 0: they draw an action by its probability"
                            + " (default 1).")
    private int deterministic = 1;

    @Option(
            names = "--report-seed-offset",
            paramLabel = "N",
            description =
                    "Distance of the seeds of the report from those that choose the best"
                            + " checkpoint (default 10000000).")
    private long reportOffset = 10_000_000;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "Number of threads (default: one for each processor). The results do not depend"
                            + " on it.")
    private int threads = Runtime.getRuntime().availableProcessors();

    WorkerThreads threads() {
        between("--threads", threads, 1, MOST_THREADS);
        return new WorkerThreads(threads);
    }

    long reportOffset() {
        return reportOffset;
    }

    int finalEpisodes() {
        return finalEpisodes;
    }

    String preset() {
        return preset;
    }

    /// Throws [UserError] for a value that cannot be used.
    TrainingPlan plan(String architecture, EnvironmentParameters environment, long seed) {
        oneOf("--preset", preset, Preset.NAMES);
        oneOf("--policy-arch", architecture, Architecture.NAMES);
        PpoSettings settings = Preset.parse(preset).settings();
        between("--total-timesteps", totalSteps, 1, (long) MANY * settings.stepsPerUpdate());
        between("--num-eval-episodes", finalEpisodes, 1, MANY);
        between("--eval-interval-updates", interval, 1, MANY);
        between("--eval-episodes", episodes, 1, MANY);
        between("--eval-num-blocks", blocks, 1, 1000);
        between("--eval-deterministic", deterministic, 0, 1);
        between("--seed", seed, 0, MOST_SEED);
        between("--report-seed-offset", reportOffset, -MOST_SEED, MOST_SEED);
        long first = settings.evaluationSeeds() + seed + Math.min(0, reportOffset);
        long last =
                settings.evaluationSeeds()
                        + seed
                        + Math.max(0, reportOffset)
                        + Math.max(finalEpisodes, (long) episodes * blocks)
                        - 1;
        between("--report-seed-offset: the first seed of an evaluation", first, 0, MOST_SEED);
        between("--report-seed-offset: the last seed of an evaluation", last, 0, MOST_SEED);
        return new TrainingPlan(
                preset,
                settings,
                ModelShape.of(
                        Architecture.parse(architecture),
                        environment.lookaheadMode(),
                        environment.maxQueueSize(),
                        environment.numGpus()),
                TrainingEnvironment.describe(environment),
                totalSteps,
                seed,
                interval,
                blocks,
                episodes,
                finalEpisodes,
                deterministic == 1,
                reportOffset);
    }

    static void between(String what, long found, long least, long most) {
        if (found < least || found > most) {
            throw new UserError(
                    "%s: expected %d to %d, found %d".formatted(what, least, most, found));
        }
    }

    static void oneOf(String option, String found, List<String> known) {
        if (!known.contains(found)) {
            throw new UserError(
                    "%s: expected one of %s, found %s"
                            .formatted(option, String.join(", ", known), found));
        }
    }
}
