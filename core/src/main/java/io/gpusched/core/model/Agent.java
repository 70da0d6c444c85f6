package io.gpusched.core.model;

/// A process that runs tasks on one or more nodes.
public record Agent(AgentId id, Custody custody, int inFlight) {
    public enum Custody {
        /// Our own agent: it stops its tasks when it cannot reach us, so long silence means they
        /// ended.
        SELF_FENCING,
        /// Somebody else keeps the tasks alive (a Kubernetes cluster): silence means nothing.
        EXTERNAL
    }
}
