package io.gpusched.core.engine;

import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Levels;
import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;

/// What people may set about the engine.
///
/// @param maxWaiting jobs that may wait at once; more are refused
/// @param assumedRuntime how long a job without a time limit is thought to run
/// @param wakeEverything try every waiting class in every cycle: slow, and the same decisions; for
///        tests
/// @param levels how the fleet is divided, which gangs may wish to heed
/// @param fairShare how tenants share over time
/// @param idle what is done about GPUs that are held and not used
public record EngineSettings(
        PolicySettings policy,
        long maxWaiting,
        Duration assumedRuntime,
        boolean wakeEverything,
        Levels levels,
        FairShare fairShare,
        IdleRules idle) {
    public static final EngineSettings DEFAULT =
            new EngineSettings(PolicySettings.DEFAULT, 2_000_000, Duration.ofHours(24), false);

    /// With the usual levels and the usual sharing over time; idle jobs are only reported.
    public EngineSettings(
            PolicySettings policy,
            long maxWaiting,
            Duration assumedRuntime,
            boolean wakeEverything) {
        this(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                Levels.DEFAULT,
                FairShare.DEFAULT,
                IdleRules.DEFAULT);
    }
}
