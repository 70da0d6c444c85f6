package io.gpusched.server.config;

import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.ScoreSettings;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// What is learned from runs, and how scores follow from it.
///
/// @param retention pairs of job and GPU that are remembered
/// @param predictionSettings what is done with the run times of jobs
/// @param outlook how often starts of waiting jobs are estimated; zero for never
public record LearningSection(
        ScoreSettings scores,
        long retention,
        PredictionSettings predictionSettings,
        Duration outlook) {

    static final Setting<Double> LAMBDA =
            decimal(
                    "lambda_uncertainty",
                    ScoreSettings.DEFAULT.uncertainty(),
                    1e6,
                    "What a second of uncertainty about a run time costs.");
    static final Setting<Double> BETA =
            decimal(
                    "beta_exploration",
                    ScoreSettings.DEFAULT.exploration(),
                    1e6,
                    "What learning something about a pair of job and GPU is worth.");
    static final Setting<Double> GAMMA =
            decimal(
                    "gamma_interference",
                    ScoreSettings.DEFAULT.interference(),
                    1e6,
                    "What being slowed down by neighbours costs.");
    static final Setting<Double> CAP =
            decimal(
                    "exploration_cap",
                    ScoreSettings.DEFAULT.cap(),
                    1,
                    "The largest part of scores that may choose a GPU to learn something.");
    static final Setting<Boolean> INTERFERENCE =
            Setting.flag(
                            "learning.enable_interference",
                            ScoreSettings.DEFAULT.heedNeighbours(),
                            "Whether scores heed which neighbours slow a job down.")
                    .alsoFrom("SCHEDULER_ENABLE_INTERFERENCE");
    static final Setting<Double> TAU_SQUARED =
            Setting.decimal(
                            "learning.tau_squared",
                            ScoreSettings.DEFAULT.noise(),
                            1e-9,
                            1e9,
                            "square seconds",
                            "How far measured run times are taken to scatter by themselves.")
                    .alsoFrom("SCHEDULER_TAU_SQUARED");
    static final Setting<Boolean> SINKHORN =
            Setting.flag(
                            "learning.enable_sinkhorn",
                            ScoreSettings.DEFAULT.batches(),
                            "Whether jobs may be assigned to GPUs a batch at a time.")
                    .alsoFrom("SCHEDULER_ENABLE_SINKHORN");
    static final Setting<Long> RETENTION =
            Setting.count(
                            "learning.retention_observations",
                            Learner.RETENTION,
                            1,
                            100_000,
                            "pairs",
                            "How many pairs of job and GPU are remembered, those seen last.")
                    .alsoFrom("SCHEDULER_RETENTION_OBSERVATIONS");
    static final Setting<Boolean> PREDICTIONS =
            Setting.flag(
                    "learning.predictions",
                    false,
                    "Whether learned run times are planned with instead of time limits.");
    static final Setting<Double> PLANNED =
            Setting.decimal(
                    "learning.planned_quantile",
                    PredictionSettings.NONE.planned(),
                    0.5,
                    0.99,
                    "",
                    "The part of runs that end within the time planned for them.");
    static final Setting<Long> OUTLOOK =
            Setting.count(
                    "learning.outlook_seconds",
                    15,
                    0,
                    3600,
                    "seconds",
                    "How often it is estimated when waiting jobs start; 0 for never.");
    static final List<Setting<?>> KEYS =
            List.of(
                    LAMBDA,
                    BETA,
                    GAMMA,
                    CAP,
                    INTERFERENCE,
                    TAU_SQUARED,
                    SINKHORN,
                    RETENTION,
                    PREDICTIONS,
                    PLANNED,
                    OUTLOOK);

    private static Setting<Double> decimal(
            String name, double usual, double most, String sentence) {
        return Setting.decimal("learning." + name, usual, 0, most, "", sentence)
                .alsoFrom("SCHEDULER_" + name.toUpperCase(Locale.ROOT));
    }

    static LearningSection from(SettingValues settingValues) {
        var scores =
                new ScoreSettings(
                                settingValues.of(LAMBDA),
                                settingValues.of(BETA),
                                settingValues.of(GAMMA),
                                settingValues.of(TAU_SQUARED),
                                0,
                                settingValues.of(INTERFERENCE),
                                settingValues.of(SINKHORN))
                        .withCap(settingValues.of(CAP));
        boolean plans = settingValues.of(PREDICTIONS);
        return new LearningSection(
                scores,
                settingValues.of(RETENTION),
                new PredictionSettings(plans, plans, settingValues.of(PLANNED), true),
                Duration.ofSeconds(settingValues.of(OUTLOOK)));
    }
}
