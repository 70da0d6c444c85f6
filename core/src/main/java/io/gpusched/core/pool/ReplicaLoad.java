package io.gpusched.core.pool;

import io.gpusched.core.model.JobId;

/// What one source saw of one replica.
///
/// @param ready whether it takes requests; false while it loads, and after the source has stopped
///        sending it any
/// @param running requests that it works on
/// @param waiting requests that it has accepted and not begun
/// @param waitingTokens prompt tokens of those
/// @param kvPermille use of its KV cache, in thousandths
/// @param firstTokenMillis mean time to the first token of this interval; 0 where there was none
/// @param interTokenMicros mean time between two tokens of this interval; 0 where there was none
/// @param promptTokens that it processed in this interval
/// @param outputTokens that it generated in this interval
public record ReplicaLoad(
        JobId replica,
        boolean ready,
        int running,
        int waiting,
        long waitingTokens,
        int kvPermille,
        int firstTokenMillis,
        int interTokenMicros,
        long promptTokens,
        long outputTokens) {}
