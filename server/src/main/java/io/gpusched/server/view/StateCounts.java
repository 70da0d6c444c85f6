package io.gpusched.server.view;

import org.jspecify.annotations.Nullable;

/// The number of jobs in each state. It is updated with each change, so that a request need not
/// count a million jobs.
public final class StateCounts {
    public static final StateCounts NONE = new StateCounts();

    private final long[] byState = new long[PublicState.values().length];

    StateCounts() {}

    /// A copy that no longer changes.
    StateCounts copy() {
        var copy = new StateCounts();
        System.arraycopy(byState, 0, copy.byState, 0, byState.length);
        return copy;
    }

    void add(PublicState state, int by) {
        byState[state.ordinal()] += by;
    }

    /// The number of jobs in the state; null means any state.
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
