package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.pool.MetricTarget;
import io.gpusched.core.pool.PoolMetric;

import java.time.Duration;
import java.time.Instant;

/// The values of metrics, taken from a pool's load.
final class Readings {
    private final LoadHistory load;
    private final LoadNow now;
    private final Instant at;

    Readings(PoolSignals signals) {
        this.load = signals.load();
        this.at = signals.now();
        this.now = load.since(at.minus(signals.pool().scaling().staleAfter()));
    }

    /// Whether the metric is a sum over the pool, which more replicas share.
    static boolean isShared(PoolMetric metric) {
        return switch (metric) {
            case TOKENS_IN_QUEUE,
                    CONCURRENT_SESSIONS,
                    TOKENS_PER_SECOND,
                    QUEUE_DEPTH,
                    TOOL_CALL_RATE,
                    REQUESTS_IN_FLIGHT ->
                    true;
            case FIRST_TOKEN_P95, CONTEXT_LENGTH, KV_CACHE_USE -> false;
        };
    }

    /// Whether the metric has no value because there was no request in its window that could have
    /// one: without requests there is neither a first token nor a context.
    boolean isWithoutRequests(MetricTarget target) {
        boolean ofRequests =
                switch (target.metric()) {
                    case FIRST_TOKEN_P95, CONTEXT_LENGTH -> true;
                    case TOKENS_IN_QUEUE,
                            CONCURRENT_SESSIONS,
                            TOKENS_PER_SECOND,
                            QUEUE_DEPTH,
                            TOOL_CALL_RATE,
                            REQUESTS_IN_FLIGHT,
                            KV_CACHE_USE ->
                            false;
                };
        LoadInterval sum = load.sum(at, target.over());
        return ofRequests
                && sum.of(LoadCount.COVERED) > 0
                && sum.of(LoadCount.ARRIVALS) == 0
                && sum.of(LoadCount.IN_FLIGHT) == 0
                && now.inFlight() == 0;
    }

    /// The value of the whole pool in thousandths of the metric's unit; negative where it is not
    /// known.
    long milli(MetricTarget target) {
        if (now.sources() == 0) {
            return -1;
        }
        Duration over = target.over();
        LoadInterval sum = load.sum(at, over);
        boolean newest = over.isZero();
        if (!newest && sum.of(LoadCount.COVERED) == 0) {
            return -1;
        }
        return switch (target.metric()) {
            case TOKENS_IN_QUEUE ->
                    newest ? now.tokensInQueue() * 1000 : gauge(sum, LoadCount.TOKENS_IN_QUEUE);
            case FIRST_TOKEN_P95 ->
                    newest ? known(now.firstTokenP95Millis() * 1000L) : firstToken(sum);
            case CONCURRENT_SESSIONS ->
                    newest ? now.sessions() * 1000L : gauge(sum, LoadCount.SESSIONS);
            case TOKENS_PER_SECOND -> rate(sum, LoadCount.OUTPUT_TOKENS);
            case QUEUE_DEPTH ->
                    newest ? now.queueDepth() * 1000 : gauge(sum, LoadCount.QUEUE_DEPTH);
            case CONTEXT_LENGTH ->
                    newest
                            ? known(now.contextTokens() * 1000)
                            : mean(sum, LoadCount.CONTEXT_TOKENS, LoadCount.CONTEXT_COVERED);
            case TOOL_CALL_RATE -> rate(sum, LoadCount.TOOL_CALLS);
            case REQUESTS_IN_FLIGHT ->
                    newest ? now.inFlight() * 1000L : gauge(sum, LoadCount.IN_FLIGHT);
            case KV_CACHE_USE ->
                    newest
                            ? now.kvPermille()
                            : mean(sum, LoadCount.KV_PERMILLE, LoadCount.KV_COVERED) / 1000;
        };
    }

    private static long known(long value) {
        return value == 0 ? -1 : value;
    }

    /// The mean of a gauge, summed over the sources.
    private long gauge(LoadInterval sum, LoadCount count) {
        return mean(sum, count, LoadCount.COVERED) * Math.max(1, now.sources());
    }

    private static long mean(LoadInterval sum, LoadCount count, LoadCount covered) {
        return Math.round(1000 * sum.mean(count, covered));
    }

    private static long firstToken(LoadInterval sum) {
        long covered = sum.of(LoadCount.FIRST_TOKEN_COVERED);
        return covered == 0 ? -1 : sum.of(LoadCount.FIRST_TOKEN) * 1000 / covered;
    }

    /// A count per second.
    private long rate(LoadInterval sum, LoadCount count) {
        long covered = sum.of(LoadCount.COVERED) / Math.max(1, now.sources());
        return covered == 0 ? -1 : sum.of(count) * 1_000_000 / covered;
    }
}
