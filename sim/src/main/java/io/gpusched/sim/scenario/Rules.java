package io.gpusched.sim.scenario;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Placers;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.Predictions;
import io.gpusched.core.model.FairShare;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import java.time.Duration;

/// The policy a scenario asks for. A run may choose another.
///
/// @param pointsPerMinute ageing: points of priority for each minute of waiting
/// @param assumed how long a job without a time limit is thought to run
/// @param checkpointEvery how often jobs that save their work do so; zero when they do it as they
///        are stopped
/// @param placement where tasks go
/// @param fairShare how tenants share over time
/// @param idle what is done about GPUs that are held and not used
/// @param predictions what is done with the run times of jobs
public record Rules(
        String policy,
        double pointsPerMinute,
        boolean preemption,
        boolean thermal,
        Duration assumed,
        Duration checkpointEvery,
        PlacementSettings placement,
        FairShare fairShare,
        IdleRules idle,
        Predictions predictions) {
    public static final Rules DEFAULT =
            new Rules(
                    "priority",
                    10,
                    true,
                    true,
                    Duration.ofHours(24),
                    PolicySettings.USUAL_CHECKPOINTS,
                    PlacementSettings.DEFAULT,
                    FairShare.DEFAULT,
                    IdleRules.DEFAULT,
                    Predictions.NONE);

    public Rules withPolicy(String other) {
        return new Rules(
                other,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                checkpointEvery,
                placement,
                fairShare,
                idle,
                predictions);
    }

    public Rules withCheckpoints(Duration every) {
        return new Rules(
                policy,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                every,
                placement,
                fairShare,
                idle,
                predictions);
    }

    public Rules withPlacer(String other) {
        return with(placement.withPlacer(other), fairShare);
    }

    public Rules withFairShare(FairShare other) {
        return with(placement, other);
    }

    public Rules withPredictions(Predictions other) {
        return new Rules(
                policy,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                checkpointEvery,
                placement,
                fairShare,
                idle,
                other);
    }

    private Rules with(PlacementSettings where, FairShare sharing) {
        return new Rules(
                policy,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                checkpointEvery,
                where,
                sharing,
                idle,
                predictions);
    }

    /// The policy itself; refuses a name that is not known.
    public Policy toPolicy() {
        if (!Placers.NAMES.contains(placement.placer())) {
            throw new BadScenario(
                    "policy.placement",
                    "there is no placement "
                            + placement.placer()
                            + "; "
                            + Spelling.advice(placement.placer(), Placers.NAMES));
        }
        Policy found = Policies.named(policy, policySettings());
        if (found == null) {
            throw new BadScenario(
                    "policy.name",
                    "there is no policy "
                            + policy
                            + "; "
                            + Spelling.advice(policy, Policies.NAMES));
        }
        return found;
    }

    public EngineSettings toSettings() {
        EngineSettings otherwise = EngineSettings.DEFAULT;
        return new EngineSettings(
                policySettings(),
                otherwise.maxWaiting(),
                assumed,
                false,
                otherwise.levels(),
                fairShare,
                idle,
                predictions);
    }

    private PolicySettings policySettings() {
        return new PolicySettings(
                pointsPerMinute, preemption, checkpointEvery, thermal, placement, Plugins.NONE);
    }
}
