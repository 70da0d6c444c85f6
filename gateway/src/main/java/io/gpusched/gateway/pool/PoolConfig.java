package io.gpusched.gateway.pool;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// A pool as the scheduler describes it.
///
/// @param tenant that owns it
/// @param model the name under which replicas know their model; empty where none is given
/// @param slo the objectives; 0 where there is none
/// @param serving how replicas are reached
public record PoolConfig(
        String name,
        String tenant,
        String model,
        Objectives slo,
        Serving serving,
        List<ReplicaConfig> replicas) {
    public PoolConfig {
        replicas = List.copyOf(replicas);
    }

    /// @param firstTokenMillis the longest time from a request to its first token
    /// @param interTokenMillis the longest mean time between two tokens
    /// @param tokensPerSecond the fewest tokens per second of one answer
    public record Objectives(
            double firstTokenMillis, double interTokenMillis, double tokensPerSecond) {}

    /// @param metricsPath empty where replicas have no metrics of their own
    /// @param sessionHeader in lower case; empty for no session affinity
    public record Serving(
            String healthPath, String metricsPath, String sessionHeader, Duration sessionTtl) {}

    /// One replica.
    ///
    /// @param state waiting, starting, ready or draining
    /// @param address null while it has none
    public record ReplicaConfig(
            String jobId, int number, String state, @Nullable InetSocketAddress address) {

        public boolean isDraining() {
            return state.equals("draining");
        }
    }
}
