package io.gpusched.store;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// How long jobs waited, as counts in buckets that grow by a tenth: small, and exact to merge,
/// which medians are not. A quantile is within 5 % of the true one; waits below 10 ms count as 0.
///
///     bucket 0: below 10 ms    bucket i: 10 ms × 1.1^(i-1) up to 10 ms × 1.1^i
///
/// @param counts jobs by bucket; no count is 0
public record WaitSketch(SortedMap<Integer, Integer> counts) {
    public static final WaitSketch NONE = new WaitSketch(new TreeMap<>());

    private static final double FIRST_MILLIS = 10;
    private static final double GROWTH = StrictMath.log(1.1);

    /// Beyond a century.
    private static final int LAST_BUCKET = 300;

    public WaitSketch {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    public static int bucket(Duration wait) {
        double millis = wait.toMillis();
        return millis < FIRST_MILLIS
                ? 0
                : Math.min(LAST_BUCKET, 1 + (int) (StrictMath.log(millis / FIRST_MILLIS) / GROWTH));
    }

    public WaitSketch plus(WaitSketch other) {
        if (other.counts.isEmpty()) {
            return this;
        }
        var sum = new TreeMap<>(counts);
        other.counts.forEach((bucket, count) -> sum.merge(bucket, count, Integer::sum));
        return new WaitSketch(sum);
    }

    /// The wait in seconds that a part of the jobs did not exceed; NaN without jobs.
    ///
    /// @param part from 0 to 1
    public double quantile(double part) {
        long all = counts.values().stream().mapToLong(Integer::longValue).sum();
        long rank = Math.max(1, (long) StrictMath.ceil(part * all));
        long seen = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            seen += entry.getValue();
            if (seen >= rank) {
                return middle(entry.getKey());
            }
        }
        return Double.NaN;
    }

    private static double middle(int bucket) {
        return bucket == 0 ? 0 : FIRST_MILLIS / 1000 * StrictMath.exp(GROWTH * (bucket - 0.5));
    }

    /// Pairs of numbers, seven bits a byte: the distance from the bucket before, and the count.
    byte[] encoded() {
        var out = new ByteArrayOutputStream();
        int before = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            write(entry.getKey() - before, out);
            write(entry.getValue(), out);
            before = entry.getKey();
        }
        return out.toByteArray();
    }

    private static void write(int number, ByteArrayOutputStream out) {
        int rest = number;
        while (rest > 0x7f) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }

    /// Reads what [#encoded] wrote; what follows a damaged byte is left out.
    static WaitSketch decoded(byte[] bytes) {
        var counts = new TreeMap<Integer, Integer>();
        int bucket = 0;
        int number = 0;
        int shift = 0;
        boolean isCount = false;
        for (byte one : bytes) {
            number |= (one & 0x7f) << shift;
            shift += 7;
            if (one < 0) {
                continue;
            }
            if (isCount && number > 0) {
                counts.put(bucket, number);
            } else if (!isCount) {
                bucket += number;
            }
            isCount = !isCount;
            number = 0;
            shift = 0;
        }
        return counts.isEmpty() ? NONE : new WaitSketch(counts);
    }
}
