package io.gpusched.core.pool;

import io.gpusched.core.model.Check;

/// Scaling by the messages of a queue that the replicas consume.
///
/// @param prefetch messages that one replica takes at once
/// @param milliThroughput messages that one prefetched place works off per second, in thousandths
/// @param maxLag the messages beyond what the replicas work off that start another replica
public record QueueRule(int prefetch, long milliThroughput, long maxLag) {
    public QueueRule {
        Check.that(prefetch >= 1, "prefetch is at least 1, found %s", prefetch);
        Check.that(milliThroughput > 0, "throughput is more than 0, found %s", milliThroughput);
        Check.that(maxLag >= 0, "a lag is not negative, found %s", maxLag);
    }
}
