package io.gpusched.server.agents;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Which agents are connected now. The cluster state calls a node unreachable only after a longer
/// silence, so that a short interruption moves no job; this interface knows at once.
public interface AgentPresence {
    /// @param connected whether orders reach the agent now
    /// @param heardAt time of the last message; null if this server has received none
    /// @param silence time since then, or since this server took charge
    /// @param fencedIn after how much more silence the agent's tasks have certainly been stopped;
    ///        null if they do not depend on a lease of this server
    record Contact(
            boolean connected,
            @Nullable Instant heardAt,
            Duration silence,
            @Nullable Duration fencedIn) {}

    /// Contact with the agent of a node; null if no agent of the node is known.
    @Nullable Contact contact(NodeId node);

    /// Reports to the cell that the node's agent is not connected, without waiting for the silence
    /// to be long. Does nothing if the agent is connected.
    void reportIfAway(NodeId node);
}
