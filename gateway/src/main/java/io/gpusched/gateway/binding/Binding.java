package io.gpusched.gateway.binding;

/// A queue that the replicas of a pool consume.
///
/// @param provider the kind of server, as in [Provider]
/// @param connection where the server is and who reads it
/// @param queue the name of the queue, topic or stream; for Prometheus the query
/// @param group the consumer group or durable consumer; empty where there is none
record Binding(
        String name,
        String pool,
        String provider,
        ConnectionSecret connection,
        String queue,
        String group) {
    /// The name under which the depth is reported.
    String source() {
        return "queue/" + name;
    }
}
