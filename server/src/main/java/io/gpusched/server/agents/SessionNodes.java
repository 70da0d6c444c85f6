package io.gpusched.server.agents;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.wire.agent.NodeChangeCodec;
import io.gpusched.wire.proto.agent.ForeignUse;
import io.gpusched.wire.proto.agent.NodesChanged;
import io.gpusched.wire.proto.agent.TaskReport;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// The nodes that the agent of one session speaks for, as they change while it lasts. Used by the
/// thread that receives the session's messages.
final class SessionNodes {
    private static final Logger log = LoggerFactory.getLogger(SessionNodes.class);

    private final AgentSession.Parts parts;
    private final AgentSession session;
    private final BooleanSupplier wanted;
    private final Set<String> names = new HashSet<>();
    private volatile @Nullable Agent agent;

    /// @param wanted whether the session lasts: a report of an agent must not be applied after one
    ///     of its successor
    SessionNodes(AgentSession.Parts parts, AgentSession session, BooleanSupplier wanted) {
        this.parts = parts;
        this.session = session;
        this.wanted = wanted;
    }

    /// The agent has said which nodes it has.
    void begin(AgentRegistry.Caller introduced) {
        agent = introduced.agent();
        introduced.nodes().forEach(node -> names.add(node.id().name()));
    }

    @Override
    public String toString() {
        Agent known = agent;
        return known == null ? "an agent that has not said its name" : "agent " + known.id();
    }

    /// A custodian may still tell the end of tasks on a node that it has deleted.
    boolean mayTellOf(TaskReport told) {
        if (isExternal()) {
            return names.contains(told.getNodeId());
        }
        check(told.getNodeId());
        return true;
    }

    private boolean isExternal() {
        return introduced().custody() == Agent.Custody.EXTERNAL;
    }

    private Agent introduced() {
        Agent known = agent;
        if (known == null) {
            throw new IllegalArgumentException("expected Hello as the first message");
        }
        return known;
    }

    /// @throws IllegalArgumentException if it is no node of the agent
    void check(String node) {
        Agent known = introduced();
        if (!names.contains(node)) {
            throw new IllegalArgumentException(
                    "expected a report on a node of agent "
                            + known.id()
                            + ", found node '"
                            + node
                            + "'");
        }
    }

    /// Takes a change of the nodes, and tells the cell.
    void changed(NodesChanged told) {
        Agent known = introduced();
        List<Node> described =
                parts.agentRegistry()
                        .describe(session, NodeChangeCodec.described(known.id(), told));
        if (described.size() < told.getDescribedCount()) {
            log.warn(
                    "agent {} described {} that another agent serves, or more than an agent may"
                            + " have; they were ignored",
                    known.id(),
                    Plurals.of(told.getDescribedCount() - described.size(), "node"));
        }
        for (Node node : described) {
            names.add(node.id().name());
            parts.inbox()
                    .tell(
                            new Report.NodeDescribed(node),
                            wanted,
                            () -> parts.telemetry().reportAgain(List.of(node)));
        }
        for (ForeignUse use : told.getForeignList()) {
            if (names.contains(use.getNodeId())) {
                parts.inbox().tell(NodeChangeCodec.foreign(use), wanted, () -> {});
            }
        }
        gone(known, NodeChangeCodec.gone(told));
        if (told.getComplete()) {
            gone(known, parts.agentRegistry().unnamed(session));
        }
    }

    private void gone(Agent known, Collection<NodeId> nodes) {
        List<NodeId> gone = parts.agentRegistry().drop(session, nodes);
        if (!gone.isEmpty()) {
            log.info("agent {} no longer has {}", known.id(), Plurals.of(gone.size(), "node"));
            parts.inbox().tell(new Report.NodesGone(known.id(), gone), wanted, () -> {});
        }
    }
}
