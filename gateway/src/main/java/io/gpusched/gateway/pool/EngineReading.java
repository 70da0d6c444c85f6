package io.gpusched.gateway.pool;

import org.jspecify.annotations.Nullable;

/// What a replica says about itself in its metrics. Null means that it does not say.
///
/// @param kv use of the KV cache, 0 to 1
/// @param firstTokenMillis mean of the interval between two scrapes
/// @param firstTokenP95Millis 95th percentile of that interval
/// @param interTokenMillis mean of that interval
public record EngineReading(
        @Nullable Double running,
        @Nullable Double waiting,
        @Nullable Double kv,
        @Nullable Double firstTokenMillis,
        @Nullable Double firstTokenP95Millis,
        @Nullable Double interTokenMillis) {
    public static final EngineReading NONE = new EngineReading(null, null, null, null, null, null);
}
