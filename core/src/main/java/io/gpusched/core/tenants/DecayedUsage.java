package io.gpusched.core.tenants;

import io.gpusched.core.model.Usage;

/// Decayed average usage of a tenant, in which past usage counts half as much after each half-life.
///
/// It is the mean of usage over all time, weighted by `2^(-age / half-life)`. So after any pause it
/// follows from its last value and the usage during the pause, whatever the length of the pause; it
/// needs no updates while time passes.
///
///     8 GPUs held for one half-life, nothing before: 4 GPUs; one half-life later without any: 2
public record DecayedUsage(double milliGpus, double milliCpu, double memoryMiB) {
    public static final DecayedUsage NOTHING = new DecayedUsage(0, 0, 0);

    /// The average after a pause with constant usage `held`.
    ///
    /// @param kept the weight of the past after the pause, from 0 to 1
    DecayedUsage after(Usage held, double kept) {
        double fresh = 1 - kept;
        return new DecayedUsage(
                milliGpus * kept + held.milliGpus() * fresh,
                milliCpu * kept + held.milliCpu() * fresh,
                memoryMiB * kept + held.memoryMiB() * fresh);
    }

    DecayedUsage plus(DecayedUsage other) {
        return new DecayedUsage(
                milliGpus + other.milliGpus,
                milliCpu + other.milliCpu,
                memoryMiB + other.memoryMiB);
    }

    /// Never negative, despite rounding.
    DecayedUsage minus(DecayedUsage other) {
        return new DecayedUsage(
                Math.max(0, milliGpus - other.milliGpus),
                Math.max(0, milliCpu - other.milliCpu),
                Math.max(0, memoryMiB - other.memoryMiB));
    }
}
