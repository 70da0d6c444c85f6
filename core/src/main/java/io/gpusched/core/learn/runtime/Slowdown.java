package io.gpusched.core.learn.runtime;

/// How much longer work takes beside neighbours than alone.
///
/// @param later increase of the logarithm of the runtime; 0 where neighbours do no harm
/// @param variance of `later`
/// @param runs observed runs beside them
public record Slowdown(double later, double variance, long runs) {
    /// How many times as long it takes; never less than 1, because a speed-up is not believed.
    public double factor() {
        return StrictMath.exp(Math.max(0, later));
    }
}
