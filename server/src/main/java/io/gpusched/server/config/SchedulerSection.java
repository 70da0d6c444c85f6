package io.gpusched.server.config;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Settings of the queue and of scheduling: policy, preemption, fair share, idle GPUs, limits.
///
/// @param carbon how long jobs that say nothing about it may wait for clean power
public record SchedulerSection(
        String policy,
        Duration interval,
        long maxQueueSize,
        boolean preemption,
        boolean gangs,
        boolean thermal,
        double thermalThreshold,
        int defaultPriority,
        PriorityCaps caps,
        long agingPointsPerMinute,
        boolean agesHeld,
        Duration assumedRuntime,
        Duration checkpointEvery,
        FairShareSettings fairShareSettings,
        IdleRules idle,
        FaultRules faults,
        boolean gpuMemoryPerGpu,
        String shadowPolicy,
        PayloadLimits payloads,
        PolicyRules policyRules,
        LearnedOrderSection learned,
        CarbonPreference carbon) {

    private static final String PER_GPU = "per_gpu";

    static final Setting<String> POLICY =
            Setting.text(
                    "scheduler.policy",
                    "priority",
                    "Which policy orders the queue: priority, fair, fifo, sjf, spf, srtf, las,"
                            + " learned and others.");
    static final Setting<Long> INTERVAL =
            Setting.count(
                    "scheduler.scheduling_interval_ms",
                    1000,
                    1,
                    60_000,
                    "milliseconds",
                    "Longest pause between two scheduling cycles; new inputs start a cycle at"
                            + " once.");
    static final Setting<Long> MAX_QUEUE =
            Setting.count(
                    "scheduler.max_queue_size",
                    2_000_000,
                    1,
                    100_000_000,
                    "jobs",
                    "Largest number of waiting jobs; further submissions are refused.");
    static final Setting<Boolean> PREEMPTION =
            Setting.flag(
                    "scheduler.enable_preemption",
                    true,
                    "Whether jobs may be preempted for jobs of higher priority.");
    static final Setting<Boolean> GANGS =
            Setting.flag(
                    "scheduler.enable_gang_scheduling",
                    true,
                    "Whether jobs of several tasks are accepted.");
    static final Setting<Boolean> THERMAL =
            Setting.flag(
                    "scheduler.enable_thermal_aware", true, "Whether hot GPUs get no new tasks.");
    static final Setting<Double> THRESHOLD =
            Setting.decimal(
                    "scheduler.thermal_threshold",
                    75.0,
                    20.0,
                    120.0,
                    "degrees Celsius",
                    "Temperature from which a GPU is hot.");
    static final Setting<Long> DEFAULT_PRIORITY =
            Setting.count(
                    "scheduler.default_priority",
                    100,
                    -1_000_000,
                    1_000_000,
                    "points",
                    "Priority of a job that requests none.");
    static final Setting<Long> AGING =
            Setting.count(
                    "scheduler.aging_points_per_minute",
                    10,
                    0,
                    1_000_000,
                    "points",
                    "Priority that a job gains per minute of waiting; 0 turns ageing off.");
    static final Setting<Boolean> AGES_HELD =
            Setting.flag(
                    "scheduler.age_while_held", false, "Whether a job also ages while it is held.");
    static final Setting<Long> ASSUMED_RUNTIME =
            Setting.count(
                    "scheduler.assumed_runtime_minutes",
                    24 * 60,
                    1,
                    365 * 24 * 60,
                    "minutes",
                    "Run time that backfill assumes for a job without a time limit.");
    static final Setting<Long> CHECKPOINTS =
            Setting.count(
                    "scheduler.checkpoint_interval_minutes",
                    PolicySettings.USUAL_CHECKPOINTS.toMinutes(),
                    0,
                    365 * 24 * 60,
                    "minutes",
                    "Interval at which checkpointing jobs save their work; 0 if only when they are"
                            + " stopped.");
    static final Setting<Long> HALF_LIFE =
            Setting.count(
                    "scheduler.fair_share.half_life_hours",
                    FairShareSettings.DEFAULT.halfLife().toHours(),
                    1,
                    10_000,
                    "hours",
                    "Half-life of past usage in a tenant's fair share.");
    static final Setting<Boolean> DYNAMIC =
            Setting.flag(
                    "scheduler.fair_share.dynamic",
                    false,
                    "Whether tenants' weights are adjusted to their real usage, between half and"
                            + " double.");
    static final Setting<Double> IDLE_THRESHOLD =
            Setting.decimal(
                    "scheduler.idle.threshold_percent",
                    IdleRules.DEFAULT.threshold(),
                    0.1,
                    100,
                    "percent",
                    "Utilization below which a GPU counts as unused.");
    static final Setting<Long> IDLE_AFTER =
            Setting.count(
                    "scheduler.idle.after_seconds",
                    IdleRules.DEFAULT.after().toSeconds(),
                    1,
                    31 * 24 * 3600,
                    "seconds",
                    "A task is idle after its GPUs have been unused for this long.");
    static final Setting<Boolean> IDLE_RECLAIM =
            Setting.flag(
                    "scheduler.idle.reclaim",
                    IdleRules.DEFAULT.reclaims(),
                    "Whether idle jobs are stopped; otherwise they are only reported.");
    static final Setting<Long> IDLE_GRACE =
            Setting.count(
                    "scheduler.idle.grace_seconds",
                    IdleRules.DEFAULT.grace().toSeconds(),
                    0,
                    31 * 24 * 3600,
                    "seconds",
                    "How long an idle job keeps running before it is stopped.");
    static final Setting<Long> CORDON_AFTER =
            Setting.count(
                    "scheduler.refusals.cordon_after",
                    FaultRules.DEFAULT.cordonAfter(),
                    0,
                    FaultRules.MOST_REFUSALS,
                    "jobs",
                    "The scheduler cordons a node that refused this many jobs which then started"
                            + " elsewhere; 0 for never.");
    static final Setting<Long> REFUSAL_WINDOW =
            Setting.count(
                    "scheduler.refusals.window_minutes",
                    FaultRules.DEFAULT.window().toMinutes(),
                    1,
                    24 * 60,
                    "minutes",
                    "How long a refusal counts for cordon_after.");
    static final Setting<Long> AVOID =
            Setting.count(
                    "scheduler.refusals.avoid_minutes",
                    FaultRules.DEFAULT.avoidFor().toMinutes(),
                    0,
                    31 * 24 * 60,
                    "minutes",
                    "How long a job is not placed again on a node that refused to start it.");
    static final Setting<Long> FORGIVE =
            Setting.count(
                    "scheduler.forgive_loss_after_minutes",
                    FaultRules.DEFAULT.forgiveAfter().toMinutes(),
                    1,
                    365 * 24 * 60,
                    "minutes",
                    "A run of this length removes one loss from its job's count; a job fails at"
                            + " its fourth loss.");
    static final Setting<String> GPU_MEMORY_QUOTA =
            Setting.oneOf(
                    "scheduler.gpu_memory_quota",
                    "per_job",
                    List.of("per_job", PER_GPU),
                    "How quotas count gpu_memory_mb: once per job, or for every GPU of the job.");
    static final Setting<String> SHADOW =
            Setting.text(
                    "scheduler.shadow_policy",
                    "",
                    "Policy that decides in the shadow, without effect; none when empty.");
    static final Setting<Long> MAX_PAYLOAD =
            Setting.count(
                    "scheduler.max_payload_mb",
                    0,
                    0,
                    1_000_000,
                    "MiB",
                    "Total size of the scripts, commands and environments of all waiting and"
                            + " running jobs; 0 for an eighth of the heap.");
    static final Setting<Long> MAX_TENANT_PAYLOAD =
            Setting.count(
                    "scheduler.max_tenant_payload_mb",
                    0,
                    0,
                    1_000_000,
                    "MiB",
                    "The same limit for the jobs of one tenant; 0 for half of"
                            + " scheduler.max_payload_mb.");

    private static final long MIB = 1 << 20;

    private static final List<Setting<?>> OWN =
            List.of(
                    POLICY,
                    INTERVAL,
                    MAX_QUEUE,
                    MAX_PAYLOAD,
                    MAX_TENANT_PAYLOAD,
                    PREEMPTION,
                    GANGS,
                    THERMAL,
                    THRESHOLD,
                    DEFAULT_PRIORITY,
                    AGING,
                    AGES_HELD,
                    ASSUMED_RUNTIME,
                    CHECKPOINTS,
                    HALF_LIFE,
                    DYNAMIC,
                    IDLE_THRESHOLD,
                    IDLE_AFTER,
                    IDLE_RECLAIM,
                    IDLE_GRACE,
                    CORDON_AFTER,
                    REFUSAL_WINDOW,
                    AVOID,
                    FORGIVE,
                    GPU_MEMORY_QUOTA,
                    SHADOW);
    static final List<Setting<?>> KEYS =
            Stream.of(
                            OWN,
                            CarbonSection.KEYS,
                            PolicyRules.KEYS,
                            LearnedOrderSection.KEYS,
                            PriorityCaps.KEYS)
                    .<Setting<?>>flatMap(List::stream)
                    .toList();

    static SchedulerSection from(SettingValues settingValues) {
        return new SchedulerSection(
                settingValues.of(POLICY),
                Duration.ofMillis(settingValues.of(INTERVAL)),
                settingValues.of(MAX_QUEUE),
                settingValues.of(PREEMPTION),
                settingValues.of(GANGS),
                settingValues.of(THERMAL),
                settingValues.of(THRESHOLD),
                settingValues.number(DEFAULT_PRIORITY),
                PriorityCaps.from(settingValues),
                settingValues.of(AGING),
                settingValues.of(AGES_HELD),
                Duration.ofMinutes(settingValues.of(ASSUMED_RUNTIME)),
                Duration.ofMinutes(settingValues.of(CHECKPOINTS)),
                new FairShareSettings(
                        Duration.ofHours(settingValues.of(HALF_LIFE)), settingValues.of(DYNAMIC)),
                new IdleRules(
                        settingValues.of(IDLE_THRESHOLD),
                        Duration.ofSeconds(settingValues.of(IDLE_AFTER)),
                        settingValues.of(IDLE_RECLAIM),
                        Duration.ofSeconds(settingValues.of(IDLE_GRACE))),
                new FaultRules(
                        settingValues.number(CORDON_AFTER),
                        Duration.ofMinutes(settingValues.of(REFUSAL_WINDOW)),
                        Duration.ofMinutes(settingValues.of(AVOID)),
                        Duration.ofMinutes(settingValues.of(FORGIVE))),
                settingValues.of(GPU_MEMORY_QUOTA).equals(PER_GPU),
                settingValues.of(SHADOW),
                payloads(
                        settingValues.of(MAX_PAYLOAD) * MIB,
                        settingValues.of(MAX_TENANT_PAYLOAD) * MIB,
                        Runtime.getRuntime().maxMemory()),
                PolicyRules.from(settingValues),
                LearnedOrderSection.from(settingValues),
                CarbonSection.from(settingValues));
    }

    /// @param total in bytes; 0 for an eighth of the heap
    /// @param perTenant in bytes; 0 for half of the total
    static PayloadLimits payloads(long total, long perTenant, long heap) {
        long all = total > 0 ? total : Math.max(MIB, heap / 8);
        return new PayloadLimits(perTenant > 0 ? perTenant : Math.max(1, all / 2), all);
    }
}
