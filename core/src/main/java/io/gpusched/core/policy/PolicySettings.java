package io.gpusched.core.policy;

import java.time.Duration;

/// Settings of the built-in policies.
///
/// @param pointsPerMinute priority gained per minute of waiting; 0 turns ageing off
/// @param preemption whether jobs of lower priority may be preempted
/// @param checkpointEvery the assumed checkpoint interval of jobs that save their work; zero when
///        they save it as they are stopped
/// @param thermal whether hot GPUs are avoided
/// @param placement where tasks are placed
/// @param plugins rules from plug-ins
/// @param agesHeld whether time in which a job is held counts as waiting
/// @param learned the model that orders the queue under learned policies, and its limits
public record PolicySettings(
        double pointsPerMinute,
        boolean preemption,
        Duration checkpointEvery,
        boolean thermal,
        PlacementSettings placement,
        Plugins plugins,
        boolean agesHeld,
        LearnedSettings learned) {
    /// Half an hour between checkpoints.
    public static final Duration USUAL_CHECKPOINTS = Duration.ofMinutes(30);

    public static final PolicySettings DEFAULT =
            new PolicySettings(
                    10, true, USUAL_CHECKPOINTS, true, PlacementSettings.DEFAULT, Plugins.NONE);

    /// All time counts as waiting, as in simulations and journals of older releases.
    public PolicySettings(
            double pointsPerMinute,
            boolean preemption,
            Duration checkpointEvery,
            boolean thermal,
            PlacementSettings placement,
            Plugins plugins) {
        this(pointsPerMinute, preemption, checkpointEvery, thermal, placement, plugins, true);
    }

    /// No policy is learned.
    public PolicySettings(
            double pointsPerMinute,
            boolean preemption,
            Duration checkpointEvery,
            boolean thermal,
            PlacementSettings placement,
            Plugins plugins,
            boolean agesHeld) {
        this(
                pointsPerMinute,
                preemption,
                checkpointEvery,
                thermal,
                placement,
                plugins,
                agesHeld,
                LearnedSettings.NONE);
    }

    public PolicySettings ageingHeld(boolean ages) {
        return new PolicySettings(
                pointsPerMinute,
                preemption,
                checkpointEvery,
                thermal,
                placement,
                plugins,
                ages,
                learned);
    }

    public PolicySettings with(PlacementSettings other) {
        return new PolicySettings(
                pointsPerMinute,
                preemption,
                checkpointEvery,
                thermal,
                other,
                plugins,
                agesHeld,
                learned);
    }

    public PolicySettings with(Plugins others) {
        return new PolicySettings(
                pointsPerMinute,
                preemption,
                checkpointEvery,
                thermal,
                placement,
                others,
                agesHeld,
                learned);
    }

    public PolicySettings with(LearnedSettings other) {
        return new PolicySettings(
                pointsPerMinute,
                preemption,
                checkpointEvery,
                thermal,
                placement,
                plugins,
                agesHeld,
                other);
    }
}
