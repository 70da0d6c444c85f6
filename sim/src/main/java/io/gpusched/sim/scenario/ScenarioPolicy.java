package io.gpusched.sim.scenario;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.wire.model.ShippedModel;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// The policy of a scenario and its settings. A run may choose another policy.
///
/// @param pointsPerMinute ageing: points of priority for each minute of waiting
/// @param assumed the assumed runtime of a job without a time limit
/// @param checkpointEvery how often jobs save their work; zero if they save it when they are
///        stopped
/// @param placement the placement strategy
/// @param fairShareSettings how tenants share over time
/// @param idle what happens to jobs that leave their GPUs idle
/// @param predictionSettings how runtimes are predicted and used
/// @param learned the model and the limits of the learned policies
/// @param carbon the carbon intensity, for policies that wait for clean power
public record ScenarioPolicy(
        String policy,
        double pointsPerMinute,
        boolean preemption,
        boolean thermal,
        Duration assumed,
        Duration checkpointEvery,
        PlacementSettings placement,
        FairShareSettings fairShareSettings,
        IdleRules idle,
        PredictionSettings predictionSettings,
        LearnedSettings learned,
        ScenarioCarbon carbon) {
    /// Where a scenario names its policy.
    public static final String POLICY = "policy.name";

    /// Where it says how places are chosen.
    public static final String PLACEMENT = "policy.placement";

    public static final ScenarioPolicy DEFAULT =
            new ScenarioPolicy(
                    "priority",
                    10,
                    true,
                    true,
                    Duration.ofHours(24),
                    PolicySettings.USUAL_CHECKPOINTS,
                    PlacementSettings.DEFAULT,
                    FairShareSettings.DEFAULT,
                    IdleRules.DEFAULT,
                    PredictionSettings.AS_NEEDED,
                    LearnedSettings.NONE.with(ShippedModel.read()),
                    ScenarioCarbon.NONE);

    /// The names of all policies, without the ending of those that wait for clean power.
    public static final List<String> NAMES =
            Stream.concat(Policies.NAMES.stream(), Policies.LEARNED.stream()).toList();

    public ScenarioPolicy withPolicy(String other) {
        return with(
                other, checkpointEvery, placement, fairShareSettings, predictionSettings, carbon);
    }

    public ScenarioPolicy withCheckpoints(Duration every) {
        return with(policy, every, placement, fairShareSettings, predictionSettings, carbon);
    }

    public ScenarioPolicy withPlacer(String other) {
        PlacementSettings where = placement.withPlacer(other);
        return with(policy, checkpointEvery, where, fairShareSettings, predictionSettings, carbon);
    }

    public ScenarioPolicy withFairShare(FairShareSettings other) {
        return with(policy, checkpointEvery, placement, other, predictionSettings, carbon);
    }

    public ScenarioPolicy withPredictions(PredictionSettings other) {
        return with(policy, checkpointEvery, placement, fairShareSettings, other, carbon);
    }

    public ScenarioPolicy withLearned(LearnedSettings other) {
        return new ScenarioPolicy(
                policy,
                pointsPerMinute,
                preemption,
                thermal,
                assumed,
                checkpointEvery,
                placement,
                fairShareSettings,
                idle,
                predictionSettings,
                other,
                carbon);
    }

    public ScenarioPolicy withCarbon(ScenarioCarbon other) {
        return with(
                policy, checkpointEvery, placement, fairShareSettings, predictionSettings, other);
    }

    private ScenarioPolicy with(
            String name,
            Duration every,
            PlacementSettings where,
            FairShareSettings sharing,
            PredictionSettings expected,
            ScenarioCarbon power) {
        return new ScenarioPolicy(
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
                learned,
                power);
    }

    /// Whether there is such a policy.
    public static boolean isPolicy(String name) {
        return NAMES.contains(plain(name)) && !holdsBackTheWrong(name);
    }

    /// The gate looks at one job of a class, the first in the queue. That must be the oldest,
    /// because its slack ends first.
    private static boolean holdsBackTheWrong(String name) {
        return name.endsWith(ScenarioCarbon.ENDING)
                && (name.startsWith("random") || name.startsWith("srtf") || name.startsWith("las"));
    }

    /// The name without the ending of policies that wait for clean power.
    public static String plain(String name) {
        return name.endsWith(ScenarioCarbon.ENDING)
                ? name.substring(0, name.length() - ScenarioCarbon.ENDING.length())
                : name;
    }

    /// The policy itself; refuses a name that is not known.
    public Policy toPolicy() {
        if (!PlacementStrategies.NAMES.contains(placement.placer())) {
            throw new BadScenario(
                    PLACEMENT,
                    "there is no placement "
                            + placement.placer()
                            + "; "
                            + UnknownWord.advice(placement.placer(), PlacementStrategies.NAMES));
        }
        Policy found = Policies.named(plain(policy), policySettings());
        if (holdsBackTheWrong(policy)) {
            throw new BadScenario(
                    POLICY,
                    policy
                            + " cannot wait for clean power, because it lets equal jobs overtake"
                            + " each other; use an order that keeps older jobs first, such as fifo"
                            + ScenarioCarbon.ENDING);
        }
        if (found == null) {
            throw new BadScenario(
                    POLICY,
                    "there is no policy " + policy + "; " + UnknownWord.advice(policy, NAMES));
        }
        return policy.endsWith(ScenarioCarbon.ENDING)
                ? found.with(policy, carbon.gate(policy, assumed))
                : found;
    }

    public EngineSettings toSettings() {
        EngineSettings otherwise = EngineSettings.DEFAULT;
        return EngineSettings.builder()
                .policy(policySettings())
                .maxWaiting(otherwise.maxWaiting())
                .assumedRuntime(assumed)
                .topologyLevels(otherwise.topologyLevels())
                .fairShareSettings(fairShareSettings)
                .idle(idle)
                .predictionSettings(predictionSettings)
                .build();
    }

    private PolicySettings policySettings() {
        return new PolicySettings(
                        pointsPerMinute,
                        preemption,
                        checkpointEvery,
                        thermal,
                        placement,
                        Plugins.NONE)
                .with(learned);
    }
}
