package io.gpusched.server.view;

import org.jspecify.annotations.Nullable;

/// How many jobs there are in each state. Kept up to date from one change to the next, so that
/// nobody has to count a million jobs to learn how many are running.
public final class Counts {
    public static final Counts NONE = new Counts();

    private final long[] byState = new long[Shown.values().length];

    Counts() {}

    /// One that no longer changes.
    Counts copy() {
        var copy = new Counts();
        System.arraycopy(byState, 0, copy.byState, 0, byState.length);
        return copy;
    }

    void add(Shown state, int by) {
        byState[state.ordinal()] += by;
    }

    /// Jobs in the state; null means any.
    public long of(@Nullable Shown state) {
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
