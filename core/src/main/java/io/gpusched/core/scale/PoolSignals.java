package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntFunction;

/// What a scaler may know when it recommends a size.
///
/// @param desired the size that was decided last
/// @param ready replicas that take requests
/// @param starting replicas that are placed and load their model
/// @param waiting replicas that are submitted and not placed
/// @param loadTime how long a new replica is expected to take from its start until it is ready
/// @param capacity tells when so many missing replicas can be placed; it costs a placement for each
///        and trials, so a law asks only where it needs the answer
/// @param load the load as it was reported
public record PoolSignals(
        Instant now,
        Pool pool,
        int desired,
        int ready,
        int starting,
        int waiting,
        Duration loadTime,
        IntFunction<ComingCapacity> capacity,
        LoadHistory load) {
    /// With the number of replicas that could be placed now.
    public PoolSignals(
            Instant now,
            Pool pool,
            int desired,
            int ready,
            int starting,
            int waiting,
            Duration loadTime,
            int placeable,
            LoadHistory load) {
        this(
                now,
                pool,
                desired,
                ready,
                starting,
                waiting,
                loadTime,
                missing -> ComingCapacity.now(missing, placeable),
                load);
    }

    /// How many replicas a size has beyond those that are placed.
    int missing(int size) {
        return Math.max(0, size - ready - starting);
    }
}
