package io.gpusched.server.config;

import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.learn.ScoreSettings;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Settings of the learned runtime model and of the scores computed from it.
///
/// @param retention number of pairs of job and GPU that the model keeps
/// @param predictionSettings how predicted run times are used
/// @param outlook interval between two estimates of when waiting jobs start; zero for none
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
                    "Cost in the score of one second of uncertainty about a run time.");
    static final Setting<Double> BETA =
            decimal(
                    "beta_exploration",
                    ScoreSettings.DEFAULT.exploration(),
                    1e6,
                    "Value in the score of learning about a pair of job and GPU.");
    static final Setting<Double> GAMMA =
            decimal(
                    "gamma_interference",
                    ScoreSettings.DEFAULT.interference(),
                    1e6,
                    "Cost in the score of being slowed down by neighbours.");
    static final Setting<Double> CAP =
            decimal(
                    "exploration_cap",
                    ScoreSettings.DEFAULT.cap(),
                    1,
                    "Largest share of scores that may choose a GPU in order to learn.");
    static final Setting<Boolean> INTERFERENCE =
            Setting.flag(
                            "learning.enable_interference",
                            ScoreSettings.DEFAULT.useNeighbours(),
                            "Whether scores consider which neighbours slow a job down.")
                    .alsoFrom("SCHEDULER_ENABLE_INTERFERENCE");
    static final Setting<Double> TAU_SQUARED =
            Setting.decimal(
                            "learning.tau_squared",
                            ScoreSettings.DEFAULT.noise(),
                            1e-9,
                            1e9,
                            "square seconds",
                            "Variance of run times that the model takes for measurement noise.")
                    .alsoFrom("SCHEDULER_TAU_SQUARED");
    static final Setting<Boolean> SINKHORN =
            Setting.flag(
                            "learning.enable_sinkhorn",
                            ScoreSettings.DEFAULT.batches(),
                            "Whether jobs may be assigned to GPUs in batches.")
                    .alsoFrom("SCHEDULER_ENABLE_SINKHORN");
    static final Setting<Long> RETENTION =
            Setting.count(
                            "learning.retention_observations",
                            Learner.RETENTION,
                            1,
                            100_000,
                            "pairs",
                            "Number of pairs of job and GPU that the model keeps, the most recent"
                                    + " ones.")
                    .alsoFrom("SCHEDULER_RETENTION_OBSERVATIONS");
    static final Setting<Boolean> PREDICTIONS =
            Setting.flag(
                    "learning.predictions",
                    false,
                    "Whether the scheduler plans with learned run times instead of time limits.");
    static final Setting<Double> PLANNED =
            Setting.decimal(
                    "learning.planned_quantile",
                    PredictionSettings.NONE.planned(),
                    0.5,
                    0.99,
                    "",
                    "Share of runs that should end within the time planned for them.");
    static final Setting<Long> OUTLOOK =
            Setting.count(
                    "learning.outlook_seconds",
                    15,
                    0,
                    3600,
                    "seconds",
                    "Interval between two estimates of when waiting jobs start; 0 for none.");
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
