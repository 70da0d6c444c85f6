package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;

/// How custom resources become pools.
///
/// @param cluster the UID of the cluster; replicas carry it, so that two clusters at one scheduler
///        do not take each other's pools for their own
/// @param names goes before the names of all pools, classes, models and bindings; may be empty
/// @param nodes labels that select the nodes of this cluster among all of the scheduler's
/// @param template the pod template of pools that have none; an empty object for none
/// @param removal how long a deleted object waits for the scheduler before it is let go
/// @param poll how often the scheduler is asked for the state of pools
public record PoolSettings(
        String cluster,
        String names,
        Map<String, String> nodes,
        ObjectNode template,
        Duration removal,
        Duration poll) {
    /// The usual settings of a cluster whose nodes have these labels.
    public static PoolSettings of(String cluster, Map<String, String> nodes) {
        return new PoolSettings(
                cluster,
                "",
                nodes,
                JsonNodeFactory.instance.objectNode(),
                Duration.ofMinutes(10),
                Duration.ofSeconds(2));
    }
}
