package io.gpusched.wire.pool;

import io.gpusched.core.pool.PoolMetric;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The names of a pool's metrics in documents: `ttft-p95` for the time to the first token.
public final class MetricNames {
    private static final Map<String, PoolMetric> BY_NAME =
            Stream.of(PoolMetric.values())
                    .collect(Collectors.toMap(MetricNames::of, metric -> metric));

    private MetricNames() {}

    public static String of(PoolMetric metric) {
        return switch (metric) {
            case FIRST_TOKEN_P95 -> "ttft-p95";
            case TOKENS_IN_QUEUE,
                    CONCURRENT_SESSIONS,
                    TOKENS_PER_SECOND,
                    QUEUE_DEPTH,
                    CONTEXT_LENGTH,
                    TOOL_CALL_RATE,
                    REQUESTS_IN_FLIGHT,
                    KV_CACHE_USE ->
                    metric.name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }

    static @Nullable PoolMetric read(String name) {
        return BY_NAME.get(name.strip().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    static List<String> all() {
        return Stream.of(PoolMetric.values()).map(MetricNames::of).toList();
    }
}
