package io.gpusched.core.model;

/// Running statistics of runtimes in seconds, in which the newest run weighs a tenth.
///
///     73.4                      →   mean 73.4, variance 1
///     73.4 and then 83.4        →   mean 74.4, variance 10.9
///
/// One run says nothing about the variance, so its standard deviation is assumed to be a second.
///
/// @param variance of single runs about the mean
/// @param count runs so far; with 0, mean and variance are 0 too
public record RuntimeAverages(double mean, double variance, long count) {
    public static final RuntimeAverages NONE = new RuntimeAverages(0, 0, 0);

    private static final double NEWEST = 0.1;
    private static final double OLDER = 1 - NEWEST;
    private static final double FIRST_VARIANCE = 1.0;
    private static final double LEAST_VARIANCE = 0.01;

    public RuntimeAverages {
        Check.that(
                count >= 0 && variance >= 0 && Double.isFinite(mean) && Double.isFinite(variance),
                "run times are finite, found mean %s, variance %s of %s runs",
                mean,
                variance,
                count);
    }

    /// The statistics with one more run of `seconds`.
    public RuntimeAverages and(double seconds) {
        if (count == 0) {
            return new RuntimeAverages(seconds, FIRST_VARIANCE, 1);
        }
        double apart = seconds - mean;
        return new RuntimeAverages(
                OLDER * mean + NEWEST * seconds,
                Math.max(LEAST_VARIANCE, OLDER * variance + NEWEST * (apart * apart)),
                count + 1);
    }

    /// The squared error of the mean: the variance of single runs over the effective number of
    /// runs. Because older runs fade, that number never exceeds 19.
    public double varianceOfMean() {
        double older = StrictMath.pow(OLDER * OLDER, (double) Math.max(0, count - 1));
        double squaredWeights = older + NEWEST * NEWEST * (1 - older) / (1 - OLDER * OLDER);
        return variance * squaredWeights;
    }
}
