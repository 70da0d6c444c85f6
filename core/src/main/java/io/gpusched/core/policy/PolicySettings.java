package io.gpusched.core.policy;

import java.time.Duration;

/// What people may set about the built-in policies.
///
/// @param pointsPerMinute priority gained per minute of waiting; 0 turns ageing off
/// @param preemption whether lower priority may be made to leave
/// @param checkpointEvery how often jobs that save their work are taken to do so; zero when they
///        do it as they are stopped
/// @param thermal whether hot GPUs are avoided
/// @param placement where tasks go
/// @param plugins rules from elsewhere
/// @param agesHeld whether time in which a job is held counts as waiting
public record PolicySettings(
        double pointsPerMinute,
        boolean preemption,
        Duration checkpointEvery,
        boolean thermal,
        PlacementSettings placement,
        Plugins plugins,
        boolean agesHeld) {
    /// Half an hour between checkpoints.
    public static final Duration USUAL_CHECKPOINTS = Duration.ofMinutes(30);

    public static final PolicySettings DEFAULT =
            new PolicySettings(
                    10, true, USUAL_CHECKPOINTS, true, PlacementSettings.DEFAULT, Plugins.NONE);

    /// With all time counted as waiting, as simulations and journals of older releases have it.
    public PolicySettings(
            double pointsPerMinute,
            boolean preemption,
            Duration checkpointEvery,
            boolean thermal,
            PlacementSettings placement,
            Plugins plugins) {
        this(pointsPerMinute, preemption, checkpointEvery, thermal, placement, plugins, true);
    }

    public PolicySettings ageingHeld(boolean ages) {
        return new PolicySettings(
                pointsPerMinute, preemption, checkpointEvery, thermal, placement, plugins, ages);
    }

    public PolicySettings with(PlacementSettings other) {
        return new PolicySettings(
                pointsPerMinute, preemption, checkpointEvery, thermal, other, plugins, agesHeld);
    }

    public PolicySettings with(Plugins others) {
        return new PolicySettings(
                pointsPerMinute, preemption, checkpointEvery, thermal, placement, others, agesHeld);
    }
}
