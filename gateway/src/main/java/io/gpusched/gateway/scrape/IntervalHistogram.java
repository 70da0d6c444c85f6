package io.gpusched.gateway.scrape;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.SortedMap;

/// The cumulative state of a histogram at one scrape.
///
/// @param buckets counts up to each bound; may be empty where only sum and count are known
record IntervalHistogram(SortedMap<Double, Double> buckets, double sum, double count) {
    private static final double RANK = 0.95;

    /// The mean of what was added since `before`; null when nothing was, or when the replica began
    /// anew.
    @Nullable Double meanSince(IntervalHistogram before) {
        double added = count - before.count;
        double total = sum - before.sum;
        return added > 0 && total >= 0 ? total / added : null;
    }

    /// The 95th percentile of what was added since `before`, within a bucket by proportion; null
    /// when it cannot be told.
    @Nullable Double p95Since(IntervalHistogram before) {
        double added = count - before.count;
        if (buckets.isEmpty() || added <= 0) {
            return null;
        }
        double rank = RANK * added;
        double lower = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            double upTo = bucket.getValue() - before.buckets.getOrDefault(bucket.getKey(), 0.0);
            if (upTo >= rank) {
                double upper = bucket.getKey();
                return Double.isInfinite(upper) || upTo <= below
                        ? lower
                        : lower + (upper - lower) * (rank - below) / (upTo - below);
            }
            lower = bucket.getKey();
            below = upTo;
        }
        return null;
    }
}
