package io.gpusched.core.state;

/// How many replicas of a pool are where in their life.
///
/// @param warm how many of those that are ready are kept beyond what the load needs
public record PoolCounts(int ready, int starting, int waiting, int draining, int warm) {
    /// No replica is warm.
    public PoolCounts(int ready, int starting, int waiting, int draining) {
        this(ready, starting, waiting, draining, 0);
    }

    /// Replicas that stay.
    public int active() {
        return ready + starting + waiting;
    }

    /// Replicas that stay and hold capacity.
    public int placed() {
        return ready + starting;
    }
}
