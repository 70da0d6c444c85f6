package io.gpusched.sim.scenario;

import java.time.Duration;

/// The policy a scenario asks for. A run may choose another.
///
/// @param pointsPerMinute ageing: points of priority for each minute of waiting
/// @param assumed how long a job without a time limit is thought to run
public record Rules(
        String policy, double pointsPerMinute, boolean preemption, boolean thermal, Duration assumed) {
    public static final Rules DEFAULT =
            new Rules("priority", 10, true, true, Duration.ofHours(24));

    public Rules withPolicy(String other) {
        return new Rules(other, pointsPerMinute, preemption, thermal, assumed);
    }
}
