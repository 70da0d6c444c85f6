package io.gpusched.server.agents;

import java.time.Duration;

/// The intervals and timeouts of the agent protocol.
///
/// After `silent` without a heartbeat an agent counts as unreachable. Its jobs are restarted
/// elsewhere only after `lease`, the grace of its tasks and `margin` have passed, because until
/// then its shims may let them run. So all tasks end if the scheduler is away for longer than the
/// lease; a longer lease avoids that, but delays the restart of jobs from broken machines.
///
/// The journal records the longest lease that agents may hold: a server that is started with a
/// shorter lease waits until the longer ones have expired before it gives up a machine.
///
/// @param margin allows for clocks that run at slightly different speeds
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
