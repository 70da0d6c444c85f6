package io.gpusched.sim.whatif;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The policy and the settings by which a scheduler decides.
///
/// @param settings as configured; [#inForce] applies the policy to them
public record SchedulerConfig(String policy, EngineSettings settings) {
    public static final SchedulerConfig DEFAULT =
            new SchedulerConfig(
                    "priority", EngineSettings.DEFAULT.with(PredictionSettings.AS_NEEDED));

    /// Makes the policy. Throws [InvalidWhatIf] if it is unknown.
    public Policy toPolicy() {
        PolicySettings rules = settings.policy();
        if (!PlacementStrategies.NAMES.contains(rules.placement().placer())) {
            throw InvalidWhatIf.unknown(
                    "placement", rules.placement().placer(), PlacementStrategies.NAMES);
        }
        Policy found = Policies.named(policy, rules);
        if (found == null) {
            List<String> names = Policies.names(rules);
            throw InvalidWhatIf.unknown("policy", policy, names);
        }
        return found;
    }

    String placer() {
        return settings.policy().placement().placer();
    }

    /// A copy with another policy or placement strategy; an empty name keeps the present one.
    SchedulerConfig with(String otherPolicy, String otherPlacer) {
        String name = otherPolicy.isEmpty() ? policy : otherPolicy;
        PolicySettings rules =
                otherPlacer.isEmpty()
                        ? settings.policy()
                        : settings.policy()
                                .with(settings.policy().placement().withPlacer(otherPlacer));
        return new SchedulerConfig(name, with(rules));
    }

    /// The settings that result under the policy.
    EngineSettings inForce() {
        return settings.under(policy);
    }

    private EngineSettings with(PolicySettings rules) {
        return settings.with(rules);
    }

    /// Reads the configuration that a scheduler records when it takes charge.
    public interface Known {
        /// Null if the text does not say; the configuration then stays as it was.
        @Nullable SchedulerConfig of(String fingerprint);
    }
}
