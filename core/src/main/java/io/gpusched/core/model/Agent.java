package io.gpusched.core.model;

/// A process that runs tasks on one or more nodes.
///
/// @param instance distinguishes two agents that claim one name: a random text, kept with the
///        agent's data, and recorded so that a restarted scheduler recognises its agents; empty
///        where unknown
public record Agent(AgentId id, Custody custody, int inFlight, String instance) {
    /// An agent without an instance.
    public Agent(AgentId id, Custody custody, int inFlight) {
        this(id, custody, inFlight, "");
    }

    public enum Custody {
        /// Our own agent: it stops its tasks when it cannot reach the scheduler, so after a long
        /// silence they have ended.
        SELF_FENCING,
        /// Another system keeps the tasks alive (a Kubernetes cluster): silence means nothing.
        EXTERNAL
    }
}
