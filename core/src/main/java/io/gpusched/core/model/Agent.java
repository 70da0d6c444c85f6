package io.gpusched.core.model;

import java.time.Duration;

/// A process that runs tasks on one or more nodes.
///
/// @param inFlight how many starts it wants to have open at a time; zero for any number
/// @param instance distinguishes two agents that claim one name: a random text, kept with the
///        agent's data, and recorded so that a restarted scheduler recognises its agents; empty
///        where unknown
/// @param startTimeout how long its tasks may take to start, for example to load images; zero for
///        the usual time
public record Agent(
        AgentId id, Custody custody, int inFlight, String instance, Duration startTimeout) {
    /// An agent without an instance.
    public Agent(AgentId id, Custody custody, int inFlight) {
        this(id, custody, inFlight, "");
    }

    /// An agent whose tasks have the usual time to start.
    public Agent(AgentId id, Custody custody, int inFlight, String instance) {
        this(id, custody, inFlight, instance, Duration.ZERO);
    }

    public enum Custody {
        /// Our own agent: it stops its tasks when it cannot reach the scheduler, so after a long
        /// silence they have ended.
        SELF_FENCING,
        /// Another system keeps the tasks alive (a Kubernetes cluster): silence means nothing.
        EXTERNAL
    }
}
