package io.gpusched.gateway.proxy;

import java.time.Duration;

/// The bounds within which the gateway works.
///
/// @param bodyBytes the largest body of a request
/// @param bufferedBytes what all clients together have sent of requests that arrive, wait or run
/// @param connections the most clients at a time
/// @param heldRequests the most requests of one pool that wait for a replica
/// @param hold how long a request waits for a replica
/// @param replicaRequests the most requests that one replica has at a time
/// @param retries how often a request is tried again before its answer has begun
/// @param timeouts when a silent peer is given up
public record ProxyLimits(
        int bodyBytes,
        long bufferedBytes,
        int connections,
        int heldRequests,
        Duration hold,
        int replicaRequests,
        int retries,
        Timeouts timeouts) {
    /// @param connect to a replica
    /// @param firstByte from sending a request to the first byte of its answer
    /// @param silence between two pieces of an answer
    /// @param client for a client to send the rest of a request, or to take the rest of an answer
    /// @param idle for a client without a request
    public record Timeouts(
            Duration connect,
            Duration firstByte,
            Duration silence,
            Duration client,
            Duration idle) {}
}
