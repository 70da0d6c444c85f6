package io.gpusched.core.engine;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;

/// What people may set about the engine.
///
/// @param maxWaiting jobs that may wait at once; more are refused
/// @param assumedRuntime how long a job without a time limit is thought to run
/// @param wakeEverything try every waiting class in every cycle: slow, and the same decisions; for
///        tests
/// @param topologyLevels how the fleet is divided, which gangs may wish to heed
/// @param fairShareSettings how tenants share over time
/// @param idle what is done about GPUs that are held and not used
/// @param predictionSettings what is done with the run times of jobs
/// @param gpuMemoryPerGpu whether quotas count the GPU memory of jobs that come from now on for
///        every GPU; otherwise once per job
/// @param faults what is done about nodes that refuse to start jobs, and about lost runs
/// @param payloads how large the payloads of jobs may be; what does not fit is refused
public record EngineSettings(
        PolicySettings policy,
        long maxWaiting,
        Duration assumedRuntime,
        boolean wakeEverything,
        TopologyLevels topologyLevels,
        FairShareSettings fairShareSettings,
        IdleRules idle,
        PredictionSettings predictionSettings,
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
                TopologyLevels.DEFAULT,
                FairShareSettings.DEFAULT,
                IdleRules.DEFAULT,
                PredictionSettings.NONE);
    }

    /// With the usual rules about faults and payloads of any size; quotas count GPU memory once per
    /// job.
    public EngineSettings(
            PolicySettings policy,
            long maxWaiting,
            Duration assumedRuntime,
            boolean wakeEverything,
            TopologyLevels topologyLevels,
            FairShareSettings fairShareSettings,
            IdleRules idle,
            PredictionSettings predictionSettings) {
        this(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                topologyLevels,
                fairShareSettings,
                idle,
                predictionSettings,
                FaultRules.DEFAULT,
                false,
                PayloadLimits.NONE);
    }

    /// The same as it comes to be under a policy: one that goes by expected run times is little
    /// without them, so under it they are learned and planned with, unless that is ruled out.
    ///
    /// What people set is what is recorded and kept; an engine makes this of it.
    public EngineSettings under(String policyName) {
        return Policies.goesByPredictions(policyName) ? with(predictionSettings.needed()) : this;
    }

    public EngineSettings with(PredictionSettings other) {
        return new EngineSettings(
                policy,
                maxWaiting,
                assumedRuntime,
                wakeEverything,
                topologyLevels,
                fairShareSettings,
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
                topologyLevels,
                fairShareSettings,
                idle,
                predictionSettings,
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
                topologyLevels,
                fairShareSettings,
                idle,
                predictionSettings,
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
                topologyLevels,
                fairShareSettings,
                idle,
                predictionSettings,
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
                topologyLevels,
                fairShareSettings,
                idle,
                predictionSettings,
                faults,
                multiplied,
                payloads);
    }
}
