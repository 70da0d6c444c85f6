package io.gpusched.sim.whatif;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a scheduler decides: by which policy, under which settings.
///
/// @param settings as people set them; [#inForce] is what they come to under the policy
public record SchedulerConfig(String policy, EngineSettings settings) {
    public static final SchedulerConfig DEFAULT =
            new SchedulerConfig(
                    "priority", EngineSettings.DEFAULT.with(PredictionSettings.AS_NEEDED));

    /// The policy itself. Throws [InvalidWhatIf] for one that is not known here.
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

    /// The same with another policy or another way to choose places; empty leaves it as it is.
    SchedulerConfig with(String otherPolicy, String otherPlacer) {
        String name = otherPolicy.isEmpty() ? policy : otherPolicy;
        PolicySettings rules =
                otherPlacer.isEmpty()
                        ? settings.policy()
                        : settings.policy()
                                .with(settings.policy().placement().withPlacer(otherPlacer));
        return new SchedulerConfig(name, with(rules));
    }

    /// What comes of the settings under the policy.
    EngineSettings inForce() {
        return settings.under(policy);
    }

    private EngineSettings with(PolicySettings rules) {
        return settings.with(rules);
    }

    /// Knows ways by what schedulers record of them when they take charge.
    public interface Known {
        /// Null where the text tells nothing: then everything stays as it was.
        @Nullable SchedulerConfig of(String fingerprint);
    }
}
