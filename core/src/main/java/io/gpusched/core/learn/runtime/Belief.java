package io.gpusched.core.learn.runtime;

/// What is believed of one kind of work on one GPU model, in a few figures. Cheap to ask for.
///
/// Two uncertainties are kept apart: runs of the same work differ, however many have been seen
/// (`variance`), and the middle of them is known only so well (`epistemic`); only the second
/// shrinks with every run, and only it is worth exploring for.
///
/// @param mean of the logarithm of the seconds
/// @param variance of single runs around the mean, of the logarithm
/// @param epistemic how uncertain the mean itself is, as a standard deviation
/// @param effective how many runs speak for it, the old ones counted in part
/// @param samples how many runs were seen on this GPU model
public record Belief(
        double mean, double variance, double epistemic, double effective, long samples) {
    /// The typical run time: as many runs take longer as take less.
    public double typicalSeconds() {
        return StrictMath.exp(mean);
    }

    /// How far off [#typicalSeconds] may be, one standard deviation up.
    public double uncertainSeconds() {
        return typicalSeconds() * StrictMath.expm1(Math.min(epistemic, 20));
    }
}
