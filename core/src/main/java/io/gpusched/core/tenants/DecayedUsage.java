package io.gpusched.core.tenants;

import io.gpusched.core.model.Usage;

/// What somebody held on average lately, where what was long ago counts little: half as much after
/// each half-life.
///
/// It is the mean of what was held over all time, weighted by `2^(-age / half-life)`. Therefore it
/// is known again after any pause from its last value and what was held during the pause, whatever
/// the length of the pause; nothing has to be done while time passes.
///
///     8 GPUs held for one half-life, nothing before: 4 GPUs; one half-life later without any: 2
public record DecayedUsage(double milliGpus, double milliCpu, double memoryMiB) {
    public static final DecayedUsage NOTHING = new DecayedUsage(0, 0, 0);

    /// After a pause in which `held` was held.
    ///
    /// @param kept what remains of the past over the pause, from 0 to 1
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

    /// Never less than nothing, however the last digits fall.
    DecayedUsage minus(DecayedUsage other) {
        return new DecayedUsage(
                Math.max(0, milliGpus - other.milliGpus),
                Math.max(0, milliCpu - other.milliCpu),
                Math.max(0, memoryMiB - other.memoryMiB));
    }
}
