package io.gpusched.sim.whatif;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Placers;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.Predictions;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a scheduler decides: by which policy, under which settings.
///
/// @param settings as people set them; [#inForce] is what they come to under the policy
public record Way(String policy, EngineSettings settings) {
    public static final Way DEFAULT =
            new Way("priority", EngineSettings.DEFAULT.with(Predictions.AS_NEEDED));

    /// The policy itself. Throws [BadQuestion] for one that is not known here.
    public Policy toPolicy() {
        PolicySettings rules = settings.policy();
        if (!Placers.NAMES.contains(rules.placement().placer())) {
            throw BadQuestion.unknown("placement", rules.placement().placer(), Placers.NAMES);
        }
        Policy found = Policies.named(policy, rules);
        if (found == null) {
            List<String> names = Policies.names(rules);
            throw BadQuestion.unknown("policy", policy, names);
        }
        return found;
    }

    String placer() {
        return settings.policy().placement().placer();
    }

    /// The same with another policy or another way to choose places; empty leaves it as it is.
    Way with(String otherPolicy, String otherPlacer) {
        String name = otherPolicy.isEmpty() ? policy : otherPolicy;
        PolicySettings rules =
                otherPlacer.isEmpty()
                        ? settings.policy()
                        : settings.policy()
                                .with(settings.policy().placement().withPlacer(otherPlacer));
        return new Way(name, with(rules));
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
        @Nullable Way of(String fingerprint);
    }
}
