package io.gpusched.sim;

import io.gpusched.core.cell.Launcher;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Sends assignments to simulated agents over a network that may lose them.
final class SimulatedLauncher implements Launcher {
    private final Map<AgentId, SimulatedAgent> agents = new LinkedHashMap<>();
    private final Map<NodeId, AgentId> owners = new HashMap<>();
    private final SimContext around;
    private Instant now;

    SimulatedLauncher(List<Node> nodes, SimContext around, Instant now) {
        this.around = around;
        this.now = now;
        var byAgent = new LinkedHashMap<AgentId, List<Node>>();
        for (Node node : nodes) {
            byAgent.computeIfAbsent(node.agent(), id -> new ArrayList<>()).add(node);
            owners.put(node.id(), node.agent());
        }
        byAgent.forEach((id, own) -> agents.put(id, new SimulatedAgent(id, own, around)));
    }

    /// Sets the present time, at which assignments are sent.
    void timeIs(Instant instant) {
        now = instant;
    }

    @Override
    public void assign(Assignment assignment) {
        if (around.network().loses()) {
            agentOf(assignment.node()).drop(now);
            return;
        }
        Instant arrives = now.plus(around.clusterDelays().network());
        around.events().plan(arrives, new SimEvent.Delivers(assignment));
        if (around.network().duplicates()) {
            Duration later = around.network().copyDelay();
            around.events().plan(arrives.plus(later), new SimEvent.Delivers(assignment));
        }
    }

    void deliver(Assignment assignment) {
        agentOf(assignment.node()).receive(assignment, now);
    }

    Collection<SimulatedAgent> agents() {
        return agents.values();
    }

    SimulatedAgent agentOf(NodeId node) {
        return agent(Objects.requireNonNull(owners.get(node), () -> node + " has no agent"));
    }

    SimulatedAgent agent(AgentId id) {
        return Objects.requireNonNull(agents.get(id), () -> "there is no agent " + id);
    }
}
