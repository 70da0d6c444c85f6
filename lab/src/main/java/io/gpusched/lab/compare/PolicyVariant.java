package io.gpusched.lab.compare;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.sim.scenario.ScenarioCarbon;
import io.gpusched.sim.scenario.ScenarioPolicy;

import java.util.List;
import java.util.Locale;

/// A policy with a placement strategy that takes part in a comparison.
///
/// @param placer the placement strategy; empty for that of the scenario
public record PolicyVariant(String policy, String placer) {
    public PolicyVariant {
        if (!ScenarioPolicy.isPolicy(policy)) {
            known("policy", policy, ScenarioPolicy.NAMES);
        }
        if (!placer.isEmpty()) {
            known("placer", placer, PlacementStrategies.NAMES);
        }
    }

    /// Reads `policy` or `policy+placer`.
    ///
    /// @param placer the placement strategy if the name has none
    public static PolicyVariant of(String name, String placer) {
        int plus = name.indexOf('+');
        if (plus < 0
                && PlacementStrategies.NAMES.contains(name)
                && !ScenarioPolicy.isPolicy(name)) {
            throw new ComparisonError(
                    "%s is a placement strategy, not a policy: write it behind a policy, such as fifo+%s"
                            .formatted(name, name));
        }
        return plus < 0
                ? new PolicyVariant(name, placer)
                : new PolicyVariant(name.substring(0, plus), name.substring(plus + 1));
    }

    private static void known(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            String likely =
                    names.stream()
                            .filter(one -> one.startsWith(name.toLowerCase(Locale.ROOT)))
                            .findFirst()
                            .map(one -> " (did you mean " + one + "?)")
                            .orElse("");
            throw new ComparisonError(
                    "there is no %s %s%s; there are %s%s"
                            .formatted(
                                    what,
                                    name,
                                    likely,
                                    String.join(", ", names),
                                    what.equals("policy")
                                            ? ", and each of them except random, srtf and las with"
                                                    + " -carbon appended"
                                            : ""));
        }
    }

    /// The name in reports.
    public String name() {
        return placer.isEmpty() ? policy : policy + "+" + placer;
    }

    boolean waitsForCleanPower() {
        return policy.endsWith(ScenarioCarbon.ENDING);
    }

    ScenarioPolicy rules(ScenarioPolicy otherwise) {
        ScenarioPolicy scenarioPolicy = otherwise.withPolicy(policy);
        return placer.isEmpty() ? scenarioPolicy : scenarioPolicy.withPlacer(placer);
    }
}
