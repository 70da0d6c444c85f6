package io.gpusched.core.pool;

import java.time.Duration;
import java.util.List;

/// What one source saw of a pool since its report before: a gateway, a scraper of metrics, or a
/// reader of a queue. Every figure is a whole number, so that replay is exact.
///
/// @param source names the reporter; a newer report of a source replaces its older one
/// @param sequence grows with every report of the source; a repeated or older one has no effect
/// @param over the time that the counts cover
/// @param arrivals requests that arrived, also those that were rejected or are held
/// @param rejected requests that were answered 429 or 503
/// @param promptTokens of the requests that arrived
/// @param outputTokens that replicas generated
/// @param held requests that wait in the gateway for a replica
/// @param heldTokens prompt tokens of those
/// @param sessions sessions that are active
/// @param contextTokens the mean context length of requests in flight
/// @param toolCalls that were made
/// @param queueDepth messages in the queues that the pool consumes
/// @param answered requests whose last token was sent
/// @param withinSlo of those, how many met every objective
/// @param firstTokenP95Millis 0 when no first token was sent
public record PoolLoad(
        String source,
        long sequence,
        Duration over,
        int arrivals,
        int rejected,
        long promptTokens,
        long outputTokens,
        int held,
        long heldTokens,
        int sessions,
        long contextTokens,
        int toolCalls,
        long queueDepth,
        int answered,
        int withinSlo,
        int firstTokenP95Millis,
        List<ReplicaLoad> replicas) {
    public PoolLoad {
        replicas = List.copyOf(replicas);
    }
}
