package io.gpusched.core.learn.runtime;

/// A short summary of what the model expects of one kind of work on one GPU model. Cheap to
/// compute.
///
/// Two uncertainties are kept apart: runs of the same work differ, however many have been seen
/// (`variance`), and their mean is known only so well (`epistemic`). Only the second shrinks with
/// every run, so only it is worth exploring for.
///
/// @param mean of the logarithm of the seconds
/// @param variance of single runs around the mean, of the logarithm
/// @param epistemic standard error of the mean
/// @param effective effective number of runs, old runs counted in part
/// @param samples how many runs were seen on this GPU model
public record Belief(
        double mean, double variance, double epistemic, double effective, long samples) {
    /// The median runtime.
    public double typicalSeconds() {
        return StrictMath.exp(mean);
    }

    /// The standard error of [#typicalSeconds], upwards.
    public double uncertainSeconds() {
        return typicalSeconds() * StrictMath.expm1(Math.min(epistemic, 20));
    }
}
