package io.gpusched.core.policy;

/// What people may set about the built-in policies.
///
/// @param pointsPerMinute priority gained per minute of waiting; 0 turns ageing off
/// @param preemption whether lower priority may be made to leave
/// @param thermal whether hot GPUs are avoided
public record PolicySettings(double pointsPerMinute, boolean preemption, boolean thermal) {
    public static final PolicySettings DEFAULT = new PolicySettings(10, true, true);
}
