package io.gpusched.server.view;

import org.jspecify.annotations.Nullable;

/// How many jobs there are in each state. Kept up to date from one change to the next, so that
/// nobody has to count a million jobs to learn how many are running.
public final class StateCounts {
    public static final StateCounts NONE = new StateCounts();

    private final long[] byState = new long[PublicState.values().length];

    StateCounts() {}

    /// One that no longer changes.
    StateCounts copy() {
        var copy = new StateCounts();
        System.arraycopy(byState, 0, copy.byState, 0, byState.length);
        return copy;
    }

    void add(PublicState state, int by) {
        byState[state.ordinal()] += by;
    }

    /// Jobs in the state; null means any.
    public long of(@Nullable PublicState state) {
        if (state != null) {
            return byState[state.ordinal()];
        }
        long sum = 0;
        for (long count : byState) {
            sum += count;
        }
        return sum;
    }
}
