package io.gpusched.gateway.measure;

/// How much came per second in the last minute, counted in slots of a second.
public final class RecentRate {
    private static final int SECONDS = 60;
    private static final long NANOS = 1_000_000_000L;

    private final long[] counts = new long[SECONDS];
    private long newest;
    private boolean begun;

    /// @param now nanoseconds on a clock that never goes back
    public void add(long now, long count) {
        pass(now);
        counts[slot(newest)] += count;
    }

    public double perSecond(long now) {
        pass(now);
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return (double) sum / SECONDS;
    }

    /// Empties the slots of the seconds since the newest one.
    private void pass(long now) {
        long second = Math.floorDiv(now, NANOS);
        if (!begun) {
            begun = true;
            newest = second;
        }
        long first = Math.max(newest + 1, second - SECONDS + 1);
        for (long each = first; each <= second; each++) {
            counts[slot(each)] = 0;
        }
        newest = Math.max(newest, second);
    }

    private static int slot(long second) {
        return Math.floorMod(second, SECONDS);
    }
}
