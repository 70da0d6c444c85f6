package io.gpusched.core.state;

/// How many replicas of a pool are where in their life.
public record PoolCounts(int ready, int starting, int waiting, int draining) {
    /// Replicas that stay.
    public int active() {
        return ready + starting + waiting;
    }

    /// Replicas that stay and hold capacity.
    public int placed() {
        return ready + starting;
    }
}
