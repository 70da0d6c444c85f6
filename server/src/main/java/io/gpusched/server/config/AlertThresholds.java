package io.gpusched.server.config;

import java.time.Duration;
import java.util.List;

/// The values beyond which the conditions for alerts hold.
///
/// @param pending how long a job may wait
/// @param starvationFactor how many times longer than 9 of 10 recently started jobs a job may wait
/// @param starvationLeast a shorter wait is never starvation
/// @param preemptedShare preempted runs of the last hour, as a share of the runs placed in it
/// @param preemptionsLeast fewer preemptions in the last hour are never too many
/// @param fragmentedShare share of the cluster's GPUs that fragmentation may leave unused
/// @param refusals jobs that a node may refuse to start
/// @param hotGpus GPUs of one node that may be hot
/// @param append how long it may take to make a batch durable, on average
/// @param explorationMargin by how much the share of explorations may exceed its cap
/// @param certainty the least certainty of the learned runtimes
/// @param coverage the least share of jobs that start within their estimated range
public record AlertThresholds(
        Duration pending,
        double starvationFactor,
        Duration starvationLeast,
        double preemptedShare,
        long preemptionsLeast,
        double fragmentedShare,
        long refusals,
        long hotGpus,
        Duration append,
        double explorationMargin,
        double certainty,
        double coverage) {

    private static final long MOST_MINUTES = 525_600;

    static final Setting<Long> PENDING =
            Setting.count(
                    AlertName.PENDING_TOO_LONG.section() + "minutes",
                    120,
                    1,
                    MOST_MINUTES,
                    "minutes",
                    "A job that waits longer is pending too long.");
    static final Setting<Double> STARVATION_FACTOR =
            Setting.decimal(
                    AlertName.STARVATION.section() + "factor",
                    10,
                    1,
                    1e6,
                    "",
                    "A job starves that waits this many times longer than 9 of 10 jobs that started"
                            + " recently.");
    static final Setting<Long> STARVATION_MINUTES =
            Setting.count(
                    AlertName.STARVATION.section() + "min_minutes",
                    60,
                    1,
                    MOST_MINUTES,
                    "minutes",
                    "A shorter wait is never starvation.");
    static final Setting<Double> PREEMPTED =
            share(
                    AlertName.PREEMPTION_RATE,
                    "ratio",
                    0.3,
                    "Runs preempted in the last hour, as a share of the runs placed in it.");
    static final Setting<Long> PREEMPTIONS =
            Setting.count(
                    AlertName.PREEMPTION_RATE.section() + "min_preemptions",
                    10,
                    1,
                    1_000_000,
                    "runs",
                    "Fewer preemptions in the last hour are never too many.");
    static final Setting<Double> FRAGMENTED =
            share(
                    AlertName.FRAGMENTATION,
                    "ratio",
                    0.1,
                    "Share of the cluster's GPUs that are free but too scattered for every waiting"
                            + " job.");
    static final Setting<Long> REFUSALS =
            Setting.count(
                    AlertName.BLACK_HOLE_NODE.section() + "refusals",
                    3,
                    1,
                    100,
                    "jobs",
                    "Jobs that a node refused to start within scheduler.refusals.window_minutes.");
    static final Setting<Long> HOT =
            Setting.count(
                    AlertName.HOT_GPUS.section() + "gpus",
                    1,
                    1,
                    64,
                    "GPUs",
                    "GPUs of one node that are hotter than scheduler.thermal_threshold.");
    static final Setting<Long> APPEND =
            Setting.count(
                    AlertName.JOURNAL_LAG.section() + "append_ms",
                    250,
                    1,
                    600_000,
                    "milliseconds",
                    "Mean time to make a batch durable in the last 5 minutes.");
    static final Setting<Double> MARGIN =
            share(
                    AlertName.EXPLORATION_RATIO,
                    "margin",
                    0.02,
                    "How far the share of explorations may exceed learning.exploration_cap.");
    static final Setting<Double> CERTAINTY =
            share(
                    AlertName.LOW_CERTAINTY,
                    "certainty",
                    0.5,
                    "Least mean certainty of the learned runtimes: 1 less the relative standard"
                            + " error.");
    static final Setting<Double> COVERAGE =
            share(
                    AlertName.FORECAST_COVERAGE,
                    "ratio",
                    0.6,
                    "Least share of jobs that start within their first estimated range.");

    static final List<Setting<?>> KEYS =
            List.of(
                    PENDING,
                    STARVATION_FACTOR,
                    STARVATION_MINUTES,
                    PREEMPTED,
                    PREEMPTIONS,
                    FRAGMENTED,
                    REFUSALS,
                    HOT,
                    APPEND,
                    MARGIN,
                    CERTAINTY,
                    COVERAGE);

    private static Setting<Double> share(
            AlertName name, String key, double usual, String sentence) {
        return Setting.decimal(name.section() + key, usual, 0, 1, "", sentence);
    }

    static AlertThresholds from(SettingValues settingValues) {
        return new AlertThresholds(
                Duration.ofMinutes(settingValues.of(PENDING)),
                settingValues.of(STARVATION_FACTOR),
                Duration.ofMinutes(settingValues.of(STARVATION_MINUTES)),
                settingValues.of(PREEMPTED),
                settingValues.of(PREEMPTIONS),
                settingValues.of(FRAGMENTED),
                settingValues.of(REFUSALS),
                settingValues.of(HOT),
                Duration.ofMillis(settingValues.of(APPEND)),
                settingValues.of(MARGIN),
                settingValues.of(CERTAINTY),
                settingValues.of(COVERAGE));
    }
}
