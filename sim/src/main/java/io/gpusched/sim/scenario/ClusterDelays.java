package io.gpusched.sim.scenario;

import java.time.Duration;

/// How long the machinery around jobs takes.
///
/// @param network from the scheduler to an agent and back, one way
/// @param prepare from an assignment to a gang's task being ready to go
/// @param start from the word to go until a task runs
/// @param reconnect from a broken connection to the agent's next greeting
/// @param silent after how much silence an agent's nodes count as unreachable
/// @param lease after how much silence an agent stops its own tasks
/// @param fenced after how much silence the scheduler counts them as stopped; later than `lease`
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
