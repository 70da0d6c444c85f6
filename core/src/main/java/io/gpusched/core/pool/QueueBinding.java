package io.gpusched.core.pool;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

/// A queue whose messages the replicas of a pool work off. A gateway reads its depth.
///
/// @param pool the pool that consumes it; null where none is named yet
/// @param type `queue`, `topic`, `webhook`, `grpc`, `http` or `metric`
/// @param provider of the queue, for example `redis`; empty where none is named
/// @param connection how to reach the provider, often with a password
/// @param queue the name of the queue, stream or topic, or the query of a metric
/// @param group the consumer group; empty for none
/// @param rule how the pool scales by the queue; null where it does not
public record QueueBinding(
        String name,
        TenantId tenant,
        @Nullable PoolId pool,
        String type,
        String provider,
        Secret connection,
        String queue,
        String group,
        @Nullable QueueRule rule) {
    public QueueBinding {
        Check.that(!name.isEmpty(), "the name is empty");
    }

    /// Whether the connection is a variable or a file of the gateway: whoever names one can use
    /// any secret that the gateway can read.
    public boolean namesSecretOfGateway() {
        return connection.text().startsWith("env:") || connection.text().startsWith("file:");
    }
}
