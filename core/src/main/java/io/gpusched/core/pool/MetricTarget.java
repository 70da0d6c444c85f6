package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

import java.time.Duration;

/// A target for one metric of a pool.
///
/// @param targetMilli the target in thousandths of the metric's unit: tokens, milliseconds,
///        sessions, requests, or the fraction of the KV cache
/// @param over how long the metric is averaged; zero takes the newest value
public record MetricTarget(PoolMetric metric, long targetMilli, Duration over) {
    public MetricTarget {
        Check.that(targetMilli > 0, "a target is more than 0, found %s", targetMilli);
        Check.that(!over.isNegative(), "a window is not negative, found %s", over);
    }
}
