package io.gpusched.core.learn;

import io.gpusched.core.model.Check;

/// Settings of the score API.
///
/// @param uncertainty cost of a second of uncertainty (λ)
/// @param exploration value of a unit of information (β)
/// @param interference cost of being slowed down by neighbours (γ)
/// @param noise the variance of a measurement, in square seconds (τ²)
/// @param capMillionths the largest fraction of choices that may explore; kept as a whole number so
///        that the bound is exact
/// @param useNeighbours whether neighbours count at all
/// @param batches whether whole batches may be assigned at once
public record ScoreSettings(
        double uncertainty,
        double exploration,
        double interference,
        double noise,
        long capMillionths,
        boolean useNeighbours,
        boolean batches) {
    public static final ScoreSettings DEFAULT =
            new ScoreSettings(0.3, 0.7, 0.0, 0.15, 250_000, false, false);

    private static final long WHOLE = 1_000_000;

    public ScoreSettings {
        Check.that(noise > 0, "the noise of measurements is positive, found %s", noise);
        Check.that(
                capMillionths >= 0 && capMillionths <= WHOLE,
                "the cap is 0 to 1000000 millionths, found %s",
                capMillionths);
    }

    public ScoreSettings withCap(double part) {
        return new ScoreSettings(
                uncertainty,
                exploration,
                interference,
                noise,
                Math.round(part * WHOLE),
                useNeighbours,
                batches);
    }

    public ScoreSettings withInterference(double weight) {
        return new ScoreSettings(
                uncertainty, exploration, weight, noise, capMillionths, true, batches);
    }

    /// The cap as a fraction.
    public double cap() {
        return capMillionths / (double) WHOLE;
    }

    /// How many of `total` choices may explore.
    public long mayExplore(long total) {
        return Math.ceilDiv(capMillionths * total, WHOLE);
    }

    /// The information gained by a run where the mean has this variance.
    public double information(double variance) {
        return 0.5 * StrictMath.log(1 + variance / noise);
    }
}
