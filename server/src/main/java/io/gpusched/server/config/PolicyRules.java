package io.gpusched.server.config;

import io.gpusched.core.engine.Policies;
import io.gpusched.sim.whatif.PairedDifferences.Objective;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// When the scheduler changes its policy by itself: it may promote the shadow policy, and it falls
/// back to a heuristic when the policy in force fails.
///
/// @param objective what policies are judged by
public record PolicyRules(Objective objective, Fallback fallback, Promotion promotion) {
    /// @param policy the configured fallback policy; empty for the default, see [#policyFor]
    /// @param cycleBudget a cycle that takes longer is late
    /// @param lateCycles how many late cycles in a row are too many
    /// @param invalidRankings how many invalid rankings are too many
    /// @param watchesObjective whether the fallback policy runs in the shadow while another policy
    ///        is in force, and replaces it when it is better
    /// @param minJobs compared jobs that such a judgement needs
    /// @param minTime how long the fallback policy must have been better without interruption
    public record Fallback(
            boolean enabled,
            String policy,
            Duration cycleBudget,
            long lateCycles,
            long invalidRankings,
            boolean watchesObjective,
            long minJobs,
            Duration minTime) {
        /// The name of the fallback policy. By default this is the configured policy: an
        /// administrator who configures `fair` does not expect `priority`. A learned policy cannot
        /// be its own fallback.
        public String policyFor(String configured) {
            if (!policy.isEmpty()) {
                return policy;
            }
            return Policies.LEARNED.contains(configured) ? "priority" : configured;
        }
    }

    /// @param minJobs compared jobs that a promotion needs
    /// @param minTime how long the shadow must have been better without interruption
    /// @param pause no promotion for this long after a fallback
    public record Promotion(boolean enabled, long minJobs, Duration minTime, Duration pause) {}

    static final Setting<String> FALLBACK_POLICY =
            Setting.text(
                    "scheduler.fallback_policy",
                    "",
                    "Policy that replaces a failing one; when empty, scheduler.policy, or priority"
                            + " if that is a learned policy.");
    static final Setting<String> OBJECTIVE =
            Setting.oneOf(
                    "scheduler.objective",
                    "wait",
                    List.of("wait", "completion", "slowdown"),
                    "What policies are judged by: the mean of wait, completion or slowdown.");
    static final Setting<Boolean> FALLBACK =
            Setting.flag(
                    "scheduler.fallback.enabled",
                    true,
                    "Whether the scheduler replaces a failing policy by the fallback policy.");
    static final Setting<Long> CYCLE_BUDGET =
            Setting.count(
                    "scheduler.fallback.cycle_budget_ms",
                    1000,
                    1,
                    600_000,
                    "milliseconds",
                    "A scheduling cycle that takes longer is late.");
    static final Setting<Long> LATE_CYCLES =
            Setting.count(
                    "scheduler.fallback.late_cycles",
                    5,
                    1,
                    1_000_000,
                    "cycles",
                    "Late cycles in a row after which the scheduler falls back.");
    static final Setting<Long> INVALID_RANKINGS =
            Setting.count(
                    "scheduler.fallback.invalid_rankings",
                    1,
                    1,
                    1_000_000,
                    "rankings",
                    "Invalid rankings of a learned policy after which the scheduler falls back.");
    static final Setting<Boolean> WATCH_OBJECTIVE =
            Setting.flag(
                    "scheduler.fallback.watch_objective",
                    true,
                    "Whether the fallback policy runs in the shadow while another policy is in"
                            + " force, and replaces it when it is better.");
    static final Setting<Long> FALLBACK_JOBS =
            Setting.count(
                    "scheduler.fallback.min_jobs",
                    200,
                    50,
                    1_000_000_000,
                    "jobs",
                    "Jobs that must be compared before the objective decides about a fallback.");
    static final Setting<Long> FALLBACK_MINUTES =
            Setting.count(
                    "scheduler.fallback.min_minutes",
                    60,
                    0,
                    365 * 24 * 60,
                    "minutes",
                    "How long the fallback policy must be better without interruption.");
    static final Setting<Boolean> PROMOTION =
            Setting.flag(
                    "scheduler.promotion.enabled",
                    false,
                    "Whether the scheduler promotes the shadow policy when it is better.");
    static final Setting<Long> PROMOTION_JOBS =
            Setting.count(
                    "scheduler.promotion.min_jobs",
                    500,
                    50,
                    1_000_000_000,
                    "jobs",
                    "Jobs that must be compared before a promotion.");
    static final Setting<Long> PROMOTION_HOURS =
            Setting.count(
                    "scheduler.promotion.min_hours",
                    24,
                    0,
                    365 * 24,
                    "hours",
                    "How long the shadow policy must be better without interruption.");
    static final Setting<Long> PAUSE_HOURS =
            Setting.count(
                    "scheduler.promotion.pause_hours",
                    24,
                    0,
                    365 * 24,
                    "hours",
                    "How long nothing is promoted after a fallback.");

    static final List<Setting<?>> KEYS =
            List.of(
                    FALLBACK_POLICY,
                    OBJECTIVE,
                    FALLBACK,
                    CYCLE_BUDGET,
                    LATE_CYCLES,
                    INVALID_RANKINGS,
                    WATCH_OBJECTIVE,
                    FALLBACK_JOBS,
                    FALLBACK_MINUTES,
                    PROMOTION,
                    PROMOTION_JOBS,
                    PROMOTION_HOURS,
                    PAUSE_HOURS);

    static PolicyRules from(SettingValues settingValues) {
        return new PolicyRules(
                Objective.valueOf(settingValues.of(OBJECTIVE).toUpperCase(Locale.ROOT)),
                new Fallback(
                        settingValues.of(FALLBACK),
                        settingValues.of(FALLBACK_POLICY),
                        Duration.ofMillis(settingValues.of(CYCLE_BUDGET)),
                        settingValues.of(LATE_CYCLES),
                        settingValues.of(INVALID_RANKINGS),
                        settingValues.of(WATCH_OBJECTIVE),
                        settingValues.of(FALLBACK_JOBS),
                        Duration.ofMinutes(settingValues.of(FALLBACK_MINUTES))),
                new Promotion(
                        settingValues.of(PROMOTION),
                        settingValues.of(PROMOTION_JOBS),
                        Duration.ofHours(settingValues.of(PROMOTION_HOURS)),
                        Duration.ofHours(settingValues.of(PAUSE_HOURS))));
    }
}
