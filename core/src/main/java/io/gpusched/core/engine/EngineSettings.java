package io.gpusched.core.engine;

import io.gpusched.core.learn.Predictions;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.FaultRules;
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
/// @param gpuMemoryPerGpu whether quotas count the GPU memory of jobs that come from now on for
///        every GPU; otherwise once per job
/// @param faults what is done about nodes that refuse to start jobs, and about lost runs
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
        FaultRules faults,
        boolean gpuMemoryPerGpu,
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

    /// With the usual rules about faults and payloads of any size; quotas count GPU memory once per
    /// job.
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
                FaultRules.DEFAULT,
                false,
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
                faults,
                gpuMemoryPerGpu,
                payloads);
    }

    public EngineSettings with(PolicySettings other) {
        return new EngineSettings(
                other,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                predictions,
                faults,
                gpuMemoryPerGpu,
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
                faults,
                gpuMemoryPerGpu,
                other);
    }

    public EngineSettings with(FaultRules other) {
        return new EngineSettings(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                predictions,
                other,
                gpuMemoryPerGpu,
                payloads);
    }

    public EngineSettings withGpuMemoryPerGpu(boolean multiplied) {
        return new EngineSettings(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                levels,
                fairShare,
                idle,
                predictions,
                faults,
                multiplied,
                payloads);
    }
}
