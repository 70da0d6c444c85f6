package io.gpusched.core.engine;

import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;

/// The settings of the engine.
///
/// @param maxWaiting jobs that may wait at once; more are refused
/// @param assumedRuntime the assumed runtime of a job without a time limit
/// @param wakeEverything try every waiting class in every cycle: slow, and the same decisions; for
///        tests
/// @param topologyLevels how the fleet is divided; gangs may ask to be placed within one division
/// @param fairShareSettings how tenants share over time
/// @param idle what is done about GPUs that are held and not used
/// @param predictionSettings whether runtimes are learned and used for planning
/// @param gpuMemoryPerGpu whether quotas count the GPU memory of jobs that come from now on for
///        every GPU; otherwise once per job
/// @param faults what is done about nodes that refuse to start jobs, and about lost runs
/// @param carbon how long batch jobs that say nothing about it may wait for clean power, and up to
///        which priority
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
        CarbonPreference carbon,
        PayloadLimits payloads) {
    public static final EngineSettings DEFAULT = builder().build();

    /// Settings that differ from the default in what the builder is told. By default 2 million jobs
    /// may wait, a job without a limit is assumed to run for 24 hours, idle jobs are only reported,
    /// nothing is predicted, payloads may have any size, and quotas count GPU memory once per job.
    public static Builder builder() {
        return new Builder();
    }

    /// Begins with what this one has.
    public Builder toBuilder() {
        return new Builder()
                .policy(policy)
                .maxWaiting(maxWaiting)
                .assumedRuntime(assumedRuntime)
                .wakeEverything(wakeEverything)
                .topologyLevels(topologyLevels)
                .fairShareSettings(fairShareSettings)
                .idle(idle)
                .predictionSettings(predictionSettings)
                .faults(faults)
                .gpuMemoryPerGpu(gpuMemoryPerGpu)
                .carbon(carbon)
                .payloads(payloads);
    }

    /// The settings that result under a policy. A policy that orders jobs by expected runtimes
    /// needs them, so it switches learning and planning on, unless the settings rule them out.
    ///
    /// The journal records the configured settings; an engine computes the resulting ones.
    public EngineSettings under(String policyName) {
        return Policies.goesByPredictions(policyName) ? with(predictionSettings.needed()) : this;
    }

    public EngineSettings with(PredictionSettings other) {
        return toBuilder().predictionSettings(other).build();
    }

    public EngineSettings with(PolicySettings other) {
        return toBuilder().policy(other).build();
    }

    public EngineSettings with(PayloadLimits other) {
        return toBuilder().payloads(other).build();
    }

    public EngineSettings with(FaultRules other) {
        return toBuilder().faults(other).build();
    }

    public EngineSettings with(CarbonPreference other) {
        return toBuilder().carbon(other).build();
    }

    public EngineSettings withGpuMemoryPerGpu(boolean multiplied) {
        return toBuilder().gpuMemoryPerGpu(multiplied).build();
    }

    /// Collects settings, each by its name.
    public static final class Builder {
        private PolicySettings policy = PolicySettings.DEFAULT;
        private long maxWaiting = 2_000_000;
        private Duration assumedRuntime = Duration.ofHours(24);
        private boolean wakeEverything;
        private TopologyLevels topologyLevels = TopologyLevels.DEFAULT;
        private FairShareSettings fairShareSettings = FairShareSettings.DEFAULT;
        private IdleRules idle = IdleRules.DEFAULT;
        private PredictionSettings predictionSettings = PredictionSettings.NONE;
        private FaultRules faults = FaultRules.DEFAULT;
        private boolean gpuMemoryPerGpu;
        private CarbonPreference carbon = CarbonPreference.NONE;
        private PayloadLimits payloads = PayloadLimits.NONE;

        private Builder() {}

        public Builder policy(PolicySettings given) {
            policy = given;
            return this;
        }

        public Builder maxWaiting(long given) {
            maxWaiting = given;
            return this;
        }

        public Builder assumedRuntime(Duration given) {
            assumedRuntime = given;
            return this;
        }

        public Builder wakeEverything(boolean given) {
            wakeEverything = given;
            return this;
        }

        public Builder topologyLevels(TopologyLevels given) {
            topologyLevels = given;
            return this;
        }

        public Builder fairShareSettings(FairShareSettings given) {
            fairShareSettings = given;
            return this;
        }

        public Builder idle(IdleRules given) {
            idle = given;
            return this;
        }

        public Builder predictionSettings(PredictionSettings given) {
            predictionSettings = given;
            return this;
        }

        public Builder faults(FaultRules given) {
            faults = given;
            return this;
        }

        public Builder gpuMemoryPerGpu(boolean given) {
            gpuMemoryPerGpu = given;
            return this;
        }

        public Builder carbon(CarbonPreference given) {
            carbon = given;
            return this;
        }

        public Builder payloads(PayloadLimits given) {
            payloads = given;
            return this;
        }

        public EngineSettings build() {
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
                    carbon,
                    payloads);
        }
    }
}
