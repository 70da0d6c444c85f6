package io.gpusched.core.pool;

/// What a scaling rule may compare with a target.
public enum PoolMetric {
    TOKENS_IN_QUEUE,
    FIRST_TOKEN_P95,
    CONCURRENT_SESSIONS,
    TOKENS_PER_SECOND,
    QUEUE_DEPTH,
    CONTEXT_LENGTH,
    TOOL_CALL_RATE,
    REQUESTS_IN_FLIGHT,
    KV_CACHE_USE
}
