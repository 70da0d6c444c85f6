package io.gpusched.gateway.measure;

import java.util.Arrays;

/// Times counted in buckets that are about 3 % wide, for percentiles of a short interval.
public final class TimeBuckets {
    private static final int BITS = 5;
    private static final int PER_DOUBLING = 1 << BITS;
    private static final int MICROS = 1_000;

    private final int[] counts = new int[(40 - BITS) * PER_DOUBLING];
    private int total;

    public void add(long nanos) {
        counts[bucket(Math.clamp(nanos / MICROS, 0, 1L << 38))]++;
        total++;
    }

    public void clear() {
        if (total > 0) {
            Arrays.fill(counts, 0);
            total = 0;
        }
    }

    /// The time within which `percent` of all lie, in milliseconds; 0 when there are none.
    public double percentileMillis(double percent) {
        long rank = (long) Math.ceil(total * percent / 100);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= rank && seen > 0) {
                return upper(bucket) / 1e3;
            }
        }
        return 0;
    }

    private static int bucket(long value) {
        if (value < PER_DOUBLING) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - BITS;
        return (shift + 1) * PER_DOUBLING + (int) (value >>> shift) - PER_DOUBLING;
    }

    private static long upper(int bucket) {
        if (bucket < PER_DOUBLING) {
            return bucket;
        }
        int shift = bucket / PER_DOUBLING - 1;
        long place = PER_DOUBLING + (long) bucket % PER_DOUBLING;
        return ((place + 1) << shift) - 1;
    }
}
