package io.gpusched.server.agents;

import io.gpusched.core.model.NodeId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// Whether agents are there, as their connections tell. That is known at once; the ledger calls a
/// node unreachable only after a silence, so that a short interruption moves nothing.
public interface AgentPresence {
    /// @param connected whether orders reach the agent now
    /// @param heardAt when it was last heard; null where this server has not heard it yet
    /// @param silence since then, or since this server took charge
    /// @param fencedIn after how much more silence its tasks surely have been stopped; null where
    ///     they do not hang on our lease
    record Contact(
            boolean connected,
            @Nullable Instant heardAt,
            Duration silence,
            @Nullable Duration fencedIn) {}

    /// Contact with the agent of a node; null where no agent is known to have it.
    @Nullable Contact contact(NodeId node);

    /// Tells the cell that the node's agent is away, without waiting for the silence to be long. An
    /// agent that is connected stays what it is.
    void tellIfAway(NodeId node);
}
