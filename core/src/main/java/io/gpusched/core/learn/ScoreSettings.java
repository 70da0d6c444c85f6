package io.gpusched.core.learn;

import io.gpusched.core.model.Check;

/// What people may set about scores.
///
/// @param uncertainty what a second of uncertainty costs (λ)
/// @param exploration what a unit of information is worth (β)
/// @param interference what being slowed down by neighbours costs (γ)
/// @param noise the variance of a measurement, in square seconds (τ²)
/// @param capMillionths the largest part of choices that may be made to learn; kept as a whole
///     number so that the bound is exact
/// @param heedNeighbours whether neighbours count at all
/// @param batches whether whole batches may be assigned at once
public record ScoreSettings(
        double uncertainty,
        double exploration,
        double interference,
        double noise,
        long capMillionths,
        boolean heedNeighbours,
        boolean batches) {
    public static final ScoreSettings DEFAULT =
            new ScoreSettings(0.3, 0.7, 0.0, 0.15, 250_000, false, false);

    private static final long WHOLE = 1_000_000;

    public ScoreSettings {
        Check.that(noise > 0, "the noise of measurements is positive, found %s", noise);
        Check.that(
                capMillionths >= 0 && capMillionths <= WHOLE,
                "the cap is a part of the whole, found %s millionths",
                capMillionths);
    }

    public ScoreSettings withCap(double part) {
        return new ScoreSettings(
                uncertainty,
                exploration,
                interference,
                noise,
                Math.round(part * WHOLE),
                heedNeighbours,
                batches);
    }

    public ScoreSettings withInterference(double weight) {
        return new ScoreSettings(
                uncertainty, exploration, weight, noise, capMillionths, true, batches);
    }

    /// As a part of one.
    public double cap() {
        return capMillionths / (double) WHOLE;
    }

    /// How many of `total` choices may be made to learn.
    public long mayExplore(long total) {
        return Math.ceilDiv(capMillionths * total, WHOLE);
    }

    /// What is learned from a run where the mean is so uncertain.
    public double information(double variance) {
        return 0.5 * StrictMath.log(1 + variance / noise);
    }
}
