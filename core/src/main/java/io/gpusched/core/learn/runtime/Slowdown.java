package io.gpusched.core.learn.runtime;

/// How much longer work takes beside neighbours than alone.
///
/// @param later of the logarithm of the run time; 0 where they do no harm
/// @param variance how uncertain that is
/// @param runs beside them that were seen
public record Slowdown(double later, double variance, long runs) {
    /// How many times as long it takes; never less than 1, nobody is believed to be helpful.
    public double factor() {
        return StrictMath.exp(Math.max(0, later));
    }
}
