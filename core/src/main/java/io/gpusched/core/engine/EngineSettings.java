package io.gpusched.core.engine;

import io.gpusched.core.learn.Predictions;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Levels;
import io.gpusched.core.model.PayloadLimits;
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
/// @param predictions what is done with the run times of jobs
/// @param payloads how large the payloads of jobs may be; what does not fit is refused
public record EngineSettings(
        PolicySettings policy,
        long maxWaiting,
        Duration assumedRuntime,
        boolean wakeEverything,
        Levels levels,
        FairShare fairShare,
        IdleRules idle,
        Predictions predictions,
        PayloadLimits payloads) {
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
                IdleRules.DEFAULT,
                Predictions.NONE);
    }

    /// With payloads of any size.
    public EngineSettings(
            PolicySettings policy,
            long maxWaiting,
            Duration assumedRuntime,
            boolean wakeEverything,
            Levels levels,
            FairShare fairShare,
            IdleRules idle,
            Predictions predictions) {
        this(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                predictions,
                PayloadLimits.NONE);
    }

    /// The same as it comes to be under a policy: one that goes by expected run times is little
    /// without them, so under it they are learned and planned with, unless that is ruled out.
    ///
    /// What people set is what is recorded and kept; an engine makes this of it.
    public EngineSettings under(String policyName) {
        return Policies.goesByPredictions(policyName) ? with(predictions.needed()) : this;
    }

    public EngineSettings with(Predictions other) {
        return new EngineSettings(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                other,
                payloads);
    }

    public EngineSettings with(PayloadLimits other) {
        return new EngineSettings(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                predictions,
                other);
    }
}
