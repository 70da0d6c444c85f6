package io.gpusched.sim.scenario;

import io.gpusched.core.policy.gate.CarbonGate;
import io.gpusched.sim.metrics.GridIntensity;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The carbon intensity over time, and how long jobs may wait for clean power. Every policy has a
/// variant whose name ends in `-carbon`: the same policy with a [CarbonGate].
///
/// @param curve the carbon intensity; null if the scenario gives none
/// @param from when the simulation begins
/// @param slack the longest time after its submission for which a job is held back
/// @param upTo the highest priority that is held back
public record ScenarioCarbon(
        @Nullable GridIntensity curve, Instant from, Duration slack, int upTo) {
    /// The suffix of policies that wait for clean power.
    public static final String ENDING = "-carbon";

    public static final Duration USUAL_SLACK = Duration.ofHours(12);
    public static final int USUAL_UP_TO = 50;
    public static final ScenarioCarbon NONE =
            new ScenarioCarbon(null, Instant.EPOCH, USUAL_SLACK, USUAL_UP_TO);

    /// Eleven years of half hours: longer than any trace.
    private static final int STEPS = 200_000;

    public ScenarioCarbon with(@Nullable GridIntensity other, Instant start) {
        return new ScenarioCarbon(other, start, slack, upTo);
    }

    public ScenarioCarbon withSlack(Duration other) {
        return new ScenarioCarbon(curve, from, other, upTo);
    }

    /// Makes the gate; fails if there is no carbon intensity.
    CarbonGate gate(String policy, Duration assumed) {
        if (curve == null || curve.isConstant()) {
            throw new BadScenario(
                    "carbon.intensity",
                    policy
                            + " needs to know when power is clean: expected a curve, found "
                            + (curve == null ? "none" : "one that never changes"));
        }
        return new CarbonGate(curve.foreseen(from, STEPS), slack, upTo, assumed);
    }
}
