package io.gpusched.core.policy;

/// What people may set about the built-in policies.
///
/// @param pointsPerMinute priority gained per minute of waiting; 0 turns ageing off
/// @param preemption whether lower priority may be made to leave
/// @param thermal whether hot GPUs are avoided
/// @param placement where tasks go
/// @param plugins rules from elsewhere
public record PolicySettings(
        double pointsPerMinute,
        boolean preemption,
        boolean thermal,
        PlacementSettings placement,
        Plugins plugins) {
    public static final PolicySettings DEFAULT =
            new PolicySettings(10, true, true, PlacementSettings.DEFAULT, Plugins.NONE);

    public PolicySettings with(PlacementSettings other) {
        return new PolicySettings(pointsPerMinute, preemption, thermal, other, plugins);
    }

    public PolicySettings with(Plugins others) {
        return new PolicySettings(pointsPerMinute, preemption, thermal, placement, others);
    }
}
