package io.gpusched.core.model;

/// How much longer a kind of job runs beside a neighbour on a kind of GPU.
///
/// @param gpuModel empty for all kinds of GPUs together
/// @param later by how much, in the logarithm of the time
/// @param variance how far off that may be, squared
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
