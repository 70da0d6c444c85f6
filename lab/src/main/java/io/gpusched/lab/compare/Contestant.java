package io.gpusched.lab.compare;

import io.gpusched.core.engine.Placers;
import io.gpusched.core.engine.Policies;
import io.gpusched.sim.scenario.Rules;

import java.util.List;
import java.util.Locale;

/// A way to schedule that takes part.
///
/// @param placer where tasks go; empty for the scenario's own
public record Contestant(String policy, String placer) {
    public Contestant {
        known("policy", policy, Policies.NAMES);
        if (!placer.isEmpty()) {
            known("placer", placer, Placers.NAMES);
        }
    }

    private static void known(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            String likely =
                    names.stream()
                            .filter(one -> one.startsWith(name.toLowerCase(Locale.ROOT)))
                            .findFirst()
                            .map(one -> " (did you mean " + one + "?)")
                            .orElse("");
            throw new Unanswerable(
                    "there is no %s %s%s; there are %s"
                            .formatted(what, name, likely, String.join(", ", names)));
        }
    }

    /// What people see.
    public String name() {
        return placer.isEmpty() ? policy : policy + "+" + placer;
    }

    Rules rules(Rules otherwise) {
        Rules rules = otherwise.withPolicy(policy);
        return placer.isEmpty() ? rules : rules.withPlacer(placer);
    }
}
