package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.Pool;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;

/// What a scaler may know when it recommends a size.
///
/// @param desired the size that was decided last
/// @param ready replicas that take requests
/// @param starting replicas that are placed and load their model
/// @param waiting replicas that are submitted and not placed
/// @param loadTime how long a new replica is expected to take from its start until it is ready
/// @param room counts how many more replicas could be placed now; it costs a placement for each,
///        so a law asks only where it needs the answer
/// @param load the load as it was reported
public record PoolSignals(
        Instant now,
        Pool pool,
        int desired,
        int ready,
        int starting,
        int waiting,
        Duration loadTime,
        IntSupplier room,
        LoadHistory load) {
    /// With the room already counted.
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
        this(now, pool, desired, ready, starting, waiting, loadTime, () -> placeable, load);
    }

    /// How many more replicas could be placed now.
    public int placeable() {
        return room.getAsInt();
    }
}
