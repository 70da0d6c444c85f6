package io.gpusched.server.view;

import java.util.Locale;

/// How a pool is, in one word.
public enum PoolPhase {
    /// All replicas that it should have take requests.
    READY,
    /// Replicas start or stop.
    SCALING,
    /// Its replicas crash, find no GPUs, or nobody reports its load.
    DEGRADED,
    /// It has no replicas and should have none.
    STOPPED;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
        return text;
    }
}
