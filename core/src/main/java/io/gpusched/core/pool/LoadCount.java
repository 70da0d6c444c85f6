package io.gpusched.core.pool;

/// What is summed up in every interval of a pool's load. A gauge is summed as its value times the
/// milliseconds that its report covers, so that a mean over time can be taken. New ones are added
/// at the end: snapshots hold them in this order.
public enum LoadCount {
    /// Milliseconds that reports covered, of all sources together.
    COVERED,
    ARRIVALS,
    REJECTED,
    ANSWERED,
    WITHIN_SLO,
    TOOL_CALLS,
    /// Prompt tokens of requests that arrived.
    PROMPT_TOKENS,
    /// Tokens that replicas generated.
    OUTPUT_TOKENS,
    /// Gauge: requests that run, wait or are held.
    IN_FLIGHT,
    /// Gauge: prompt tokens that no replica has begun.
    TOKENS_IN_QUEUE,
    /// Gauge.
    SESSIONS,
    /// Gauge.
    QUEUE_DEPTH,
    /// Gauge: mean context length.
    CONTEXT_TOKENS,
    /// Gauge: mean use of the KV cache of ready replicas, in thousandths.
    KV_PERMILLE,
    /// Gauge: 95th percentile of the time to the first token, in milliseconds.
    FIRST_TOKEN,
    /// Milliseconds of the reports that told a time to the first token.
    FIRST_TOKEN_COVERED,
    /// Milliseconds of the reports that told a context length.
    CONTEXT_COVERED,
    /// Milliseconds of the reports that told of ready replicas.
    KV_COVERED,
    /// Gauge, over [#KV_COVERED]: replicas that take requests.
    READY;

    /// Digests were recorded with the first of them and cover no others, so that a report means the
    /// same in every journal.
    static final int IN_DIGEST = FIRST_TOKEN_COVERED.ordinal() + 1;
}
