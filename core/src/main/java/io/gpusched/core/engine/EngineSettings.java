package io.gpusched.core.engine;

import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;

/// What people may set about the engine.
///
/// @param maxWaiting jobs that may wait at once; more are refused
/// @param assumedRuntime how long a job without a time limit is thought to run
/// @param wakeEverything try every waiting class in every cycle: slow, and the same decisions; for
///        tests
/// @param reclaimIdle stop jobs that do not use their GPUs, where their tenant lets its jobs be
///        preempted
public record EngineSettings(
        PolicySettings policy,
        long maxWaiting,
        Duration assumedRuntime,
        boolean wakeEverything,
        boolean reclaimIdle) {
    public static final EngineSettings DEFAULT =
            new EngineSettings(PolicySettings.DEFAULT, 2_000_000, Duration.ofHours(24), false);

    /// Settings under which idle jobs are only reported.
    public EngineSettings(
            PolicySettings policy,
            long maxWaiting,
            Duration assumedRuntime,
            boolean wakeEverything) {
        this(policy, maxWaiting, assumedRuntime, wakeEverything, false);
    }
}
