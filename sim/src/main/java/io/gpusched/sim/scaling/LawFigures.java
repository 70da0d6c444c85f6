package io.gpusched.sim.scaling;

/// What a law attained in a run.
///
/// @param percent requests within the objectives; `NaN` without objectives or requests
/// @param firstToken times to the first token, in seconds; infinite where requests got none
/// @param dollars `NaN` where no price is known
public record LawFigures(
        String law,
        double percent,
        double gpuHours,
        int added,
        int removed,
        Quantiles firstToken,
        double dollars) {
    /// Of a figure over all requests.
    public record Quantiles(double p50, double p95, double p99) {}
}
