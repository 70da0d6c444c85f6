package io.gpusched.core.model;

/// A process that runs tasks on one or more nodes.
///
/// @param instance tells two agents that claim one name apart; random, kept with the agent's data,
///     and recorded so that a restarted scheduler knows whom to expect; empty where unknown
public record Agent(AgentId id, Custody custody, int inFlight, String instance) {
    /// An agent that nobody will be mistaken for.
    public Agent(AgentId id, Custody custody, int inFlight) {
        this(id, custody, inFlight, "");
    }

    public enum Custody {
        /// Our own agent: it stops its tasks when it cannot reach us, so long silence means they
        /// ended.
        SELF_FENCING,
        /// Somebody else keeps the tasks alive (a Kubernetes cluster): silence means nothing.
        EXTERNAL
    }
}
