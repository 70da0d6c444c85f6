package io.gpusched.sim.whatif;

import java.time.Duration;
import java.util.Arrays;

/// The distribution of many durations in little memory: the mean is exact, quantiles are within 5
/// %.
final class DurationSketch {
    private static final double STEP = Math.log(1.05);

    private long[] counts = new long[64];
    private long count;
    private double seconds;

    void add(Duration duration) {
        double length = Math.max(0, duration.toMillis() / 1e3);
        int bucket = length < 1 ? 0 : 1 + (int) (Math.log(length) / STEP);
        if (bucket >= counts.length) {
            counts = Arrays.copyOf(counts, bucket * 3 / 2);
        }
        counts[bucket]++;
        count++;
        seconds += length;
    }

    DurationSketch copy() {
        var copy = new DurationSketch();
        copy.counts = counts.clone();
        copy.count = count;
        copy.seconds = seconds;
        return copy;
    }

    double mean() {
        return count == 0 ? 0 : seconds / count;
    }

    /// The quantile at that fraction; 0 if there are no durations.
    double part(double part) {
        long wanted = (long) Math.ceil(count * part);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length && count > 0; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return bucket == 0 ? 0 : Math.exp((bucket - 0.5) * STEP);
            }
        }
        return 0;
    }
}
