package io.gpusched.core.model;

/// A learned figure: how much longer a kind of job runs beside a neighbour on a GPU model.
///
/// @param gpuModel empty for all GPU models together
/// @param later by how much, in the logarithm of the runtime
/// @param variance of `later`
/// @param count runs beside that neighbour so far
public record LearnedInterference(
        String kind, String neighbour, String gpuModel, double later, double variance, long count) {
    public LearnedInterference {
        Check.that(
                Double.isFinite(later) && Double.isFinite(variance) && variance > 0 && count >= 0,
                "interference is finite and uncertain, found %s ± %s of %s runs",
                later,
                variance,
                count);
    }
}
