package io.gpusched.sim.scenario;

import java.time.Duration;

/// Delays and timeouts of the simulated cluster.
///
/// @param network one-way delay between the scheduler and an agent
/// @param prepare from an assignment until a task of a gang is ready to start
/// @param start from the start signal until a task runs
/// @param reconnect from a broken connection to the agent's next hello
/// @param silent silence after which an agent's nodes count as unreachable
/// @param lease silence after which an agent stops its own tasks
/// @param fenced silence after which the scheduler counts these tasks as stopped; longer than
///        `lease`
public record ClusterDelays(
        Duration network,
        Duration prepare,
        Duration start,
        Duration reconnect,
        Duration silent,
        Duration lease,
        Duration fenced) {
    public static final ClusterDelays DEFAULT =
            new ClusterDelays(
                    Duration.ZERO,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(11));
}
