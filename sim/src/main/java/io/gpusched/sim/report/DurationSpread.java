package io.gpusched.sim.report;

import java.time.Duration;
import java.util.Arrays;

/// The mean and percentiles of some durations; all zero if there are none.
public record DurationSpread(
        int count, Duration mean, Duration median, Duration p90, Duration p99, Duration max) {
    /// Percentiles by nearest rank: the smallest duration that at least that share does not exceed.
    static DurationSpread of(Durations durations) {
        long[] sorted = durations.toArray();
        Arrays.sort(sorted);
        long sum = 0;
        for (long millis : sorted) {
            sum += millis;
        }
        return new DurationSpread(
                sorted.length,
                Duration.ofMillis(sorted.length == 0 ? 0 : sum / sorted.length),
                rank(sorted, 50),
                rank(sorted, 90),
                rank(sorted, 99),
                rank(sorted, 100));
    }

    private static Duration rank(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return Duration.ZERO;
        }
        int rank = Math.max(1, (int) Math.ceilDiv((long) sorted.length * percent, 100L));
        return Duration.ofMillis(sorted[rank - 1]);
    }

    /// A list of durations that grows, in whole milliseconds.
    static final class Durations {
        private long[] millis = new long[16];
        private int size;

        void add(Duration duration) {
            if (size == millis.length) {
                millis = Arrays.copyOf(millis, size * 2);
            }
            millis[size++] = duration.toMillis();
        }

        long[] toArray() {
            return Arrays.copyOf(millis, size);
        }
    }
}
