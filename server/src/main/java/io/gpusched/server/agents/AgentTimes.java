package io.gpusched.server.agents;

import java.time.Duration;

/// How long the two ends of the agent protocol wait for each other.
///
/// After `silent` without a heartbeat an agent counts as unreachable. Its jobs are started
/// elsewhere only after `lease`, the grace of its tasks and `margin` have passed, because until
/// then its own shims may let them run. A scheduler that is away for longer than the lease thereby
/// ends all jobs; a longer lease delays the restart of jobs from broken machines instead.
///
/// After shortening the lease, let the old one pass before starting the server with the new one.
///
/// @param margin covers clocks that run at slightly different speed
public record AgentTimes(
        Duration lease, Duration heartbeat, Duration metrics, Duration silent, Duration margin) {
    public static final AgentTimes DEFAULT =
            new AgentTimes(
                    Duration.ofMinutes(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(15));

    public AgentTimes {
        if (lease.compareTo(silent) < 0 || silent.compareTo(heartbeat) <= 0) {
            throw new IllegalArgumentException(
                    "expected heartbeat < silent <= lease, found "
                            + heartbeat
                            + ", "
                            + silent
                            + ", "
                            + lease);
        }
    }

    /// These times with another lease.
    public AgentTimes withLease(Duration length) {
        return new AgentTimes(length, heartbeat, metrics, silent, margin);
    }
}
