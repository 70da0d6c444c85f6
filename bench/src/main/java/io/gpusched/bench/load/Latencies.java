package io.gpusched.bench.load;

/// Times counted in buckets whose width is about 3 % of their value: a fixed 15 kB, whatever comes.
public final class Latencies {
    private static final int BITS = 5;
    private static final int PER_DOUBLING = 1 << BITS;

    private final long[] counts = new long[(64 - BITS) * PER_DOUBLING];
    private long total;

    public void add(long nanos) {
        counts[bucket(Math.max(0, nanos))]++;
        total++;
    }

    public void addAll(Latencies others) {
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] += others.counts[bucket];
        }
        total += others.total;
    }

    public long count() {
        return total;
    }

    /// The time within which `percent` of all lie, in milliseconds; 0 when there are none.
    public double percentileMillis(double percent) {
        long wanted = (long) Math.ceil(total * percent / 100);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted && seen > 0) {
                return upper(bucket) / 1e6;
            }
        }
        return 0;
    }

    /// Values below `PER_DOUBLING` have a bucket each; above, every doubling has that many.
    private static int bucket(long value) {
        if (value < PER_DOUBLING) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - BITS;
        return (shift + 1) * PER_DOUBLING + (int) (value >>> shift) - PER_DOUBLING;
    }

    /// The largest value that falls into the bucket.
    private static long upper(int bucket) {
        if (bucket < PER_DOUBLING) {
            return bucket;
        }
        int shift = bucket / PER_DOUBLING - 1;
        long place = PER_DOUBLING + (long) bucket % PER_DOUBLING;
        return ((place + 1) << shift) - 1;
    }
}
