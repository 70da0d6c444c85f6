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
/// @param carbon how clean power is, for policies that wait for it
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
        Predictions predictions,
        CarbonRules carbon) {
    /// Where a scenario names its policy.
    public static final String POLICY = "policy.name";

    /// Where it says how places are chosen.
    public static final String PLACEMENT = "policy.placement";

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
                    Predictions.AS_NEEDED,
                    CarbonRules.NONE);

    public Rules withPolicy(String other) {
        return with(other, checkpointEvery, placement, fairShare, predictions, carbon);
    }

    public Rules withCheckpoints(Duration every) {
        return with(policy, every, placement, fairShare, predictions, carbon);
    }

    public Rules withPlacer(String other) {
        PlacementSettings where = placement.withPlacer(other);
        return with(policy, checkpointEvery, where, fairShare, predictions, carbon);
    }

    public Rules withFairShare(FairShare other) {
        return with(policy, checkpointEvery, placement, other, predictions, carbon);
    }

    public Rules withPredictions(Predictions other) {
        return with(policy, checkpointEvery, placement, fairShare, other, carbon);
    }

    public Rules withCarbon(CarbonRules other) {
        return with(policy, checkpointEvery, placement, fairShare, predictions, other);
    }

    private Rules with(
            String name,
            Duration every,
            PlacementSettings where,
            FairShare sharing,
            Predictions expected,
            CarbonRules power) {
        return new Rules(
                name,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                every,
                where,
                sharing,
                idle,
                expected,
                power);
    }

    /// Whether there is such a policy.
    public static boolean isPolicy(String name) {
        return Policies.NAMES.contains(plain(name)) && !holdsBackTheWrong(name);
    }

    /// The gate asks one job for all that are alike, the first in line, and that must be the
    /// oldest: its time to wait is over first.
    private static boolean holdsBackTheWrong(String name) {
        return name.endsWith(CarbonRules.ENDING)
                && (name.startsWith("random") || name.startsWith("srtf") || name.startsWith("las"));
    }

    /// The name without the ending of policies that wait for clean power.
    public static String plain(String name) {
        return name.endsWith(CarbonRules.ENDING)
                ? name.substring(0, name.length() - CarbonRules.ENDING.length())
                : name;
    }

    /// The policy itself; refuses a name that is not known.
    public Policy toPolicy() {
        if (!Placers.NAMES.contains(placement.placer())) {
            throw new BadScenario(
                    PLACEMENT,
                    "there is no placement "
                            + placement.placer()
                            + "; "
                            + Spelling.advice(placement.placer(), Placers.NAMES));
        }
        Policy found = Policies.named(plain(policy), policySettings());
        if (holdsBackTheWrong(policy)) {
            throw new BadScenario(
                    POLICY,
                    policy
                            + " cannot wait for clean power, because it lets equal jobs overtake"
                            + " each other; use an order that keeps older jobs first, such as fifo"
                            + CarbonRules.ENDING);
        }
        if (found == null) {
            throw new BadScenario(
                    POLICY,
                    "there is no policy "
                            + policy
                            + "; "
                            + Spelling.advice(policy, Policies.NAMES));
        }
        return policy.endsWith(CarbonRules.ENDING)
                ? found.with(policy, carbon.gate(policy, assumed))
                : found;
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
